//! The allocator of the wasm build: two-level segregated fit with boundary tags.
//!
//! Neighbours that are free are always joined, so a session that keeps a steady state keeps a
//! steady memory. Not thread-safe: an instance runs one call at a time.
//!
//! A block: `size | FREE` u32, size of the block before it u32, then the payload, 8-aligned. A free
//! block holds the links of its list in the payload. The heap is one run from `__heap_base` to
//! `top`, where a sentinel of size 0 lies; a block that is freed next to it lowers the top. What is
//! above the top was never touched or is not looked at again, so a host may back it lazily.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, memory_size};

const PAGE: usize = 65536;
const TAG: usize = 8;
const FREE: u32 = 1;
const MIN: usize = 24; // tag and two links, rounded to 8
/// Lists of the first level: one for every 8 bytes below 256, then four to a power of two.
const SMALL: usize = 32;
const BINS: usize = SMALL + 4 * 20;

pub struct Heap;

struct Bins {
    /// 0 before the first use.
    top: usize,
    map: [u32; (BINS + 31) / 32],
    heads: [u32; BINS],
}

static mut BINS_STATE: Bins =
    Bins { top: 0, map: [0; (BINS + 31) / 32], heads: [0; BINS] };

extern "C" {
    static __heap_base: u8;
}

#[inline]
unsafe fn load(at: usize) -> u32 {
    *(at as *const u32)
}

#[inline]
unsafe fn store(at: usize, v: u32) {
    *(at as *mut u32) = v;
}

#[inline]
unsafe fn size_of(block: usize) -> usize {
    (load(block) & !FREE) as usize
}

/// The list in which a free block of this size lies.
#[inline]
fn bin(size: usize) -> usize {
    if size < 256 {
        return size >> 3;
    }
    let log = 31 - (size as u32).leading_zeros() as usize; // 8 ..= 27
    let quarter = (size >> (log - 2)) & 3;
    let b = SMALL + (log - 8) * 4 + quarter;
    if b < BINS {
        b
    } else {
        BINS - 1
    }
}

impl Bins {
    #[inline]
    unsafe fn push(&mut self, block: usize, size: usize) {
        let b = bin(size);
        let head = self.heads[b];
        store(block, size as u32 | FREE);
        store(block + size + 4, size as u32);
        store(block + TAG, 0);
        store(block + TAG + 4, head);
        if head != 0 {
            store(head as usize + TAG, block as u32);
        }
        self.heads[b] = block as u32;
        self.map[b >> 5] |= 1 << (b & 31);
    }

    #[inline]
    unsafe fn pull(&mut self, block: usize, size: usize) {
        let before = load(block + TAG);
        let after = load(block + TAG + 4);
        if after != 0 {
            store(after as usize + TAG, before);
        }
        if before != 0 {
            store(before as usize + TAG + 4, after);
        } else {
            let b = bin(size);
            self.heads[b] = after;
            if after == 0 {
                self.map[b >> 5] &= !(1 << (b & 31));
            }
        }
    }

    /// A free block of at least this size, out of its list; 0 when there is none.
    #[inline(never)]
    unsafe fn find(&mut self, need: usize) -> usize {
        let own = bin(need);
        // Blocks of the own list may be too small when it spans sizes.
        let mut block = self.heads[own] as usize;
        while block != 0 {
            let size = size_of(block);
            if size >= need {
                self.pull(block, size);
                return block;
            }
            block = load(block + TAG + 4) as usize;
        }
        let mut b = own + 1;
        while b < BINS {
            let bits = self.map[b >> 5] >> (b & 31);
            if bits != 0 {
                b += bits.trailing_zeros() as usize;
                let block = self.heads[b] as usize;
                self.pull(block, size_of(block));
                return block;
            }
            b = (b | 31) + 1;
        }
        0
    }

    /// Gives what is behind `need` back to the lists and marks the block taken.
    #[inline]
    unsafe fn settle(&mut self, block: usize, size: usize, need: usize) {
        if size - need >= MIN {
            store(block, need as u32);
            store(block + need + 4, need as u32);
            self.push(block + need, size - need);
        } else {
            store(block, size as u32);
        }
    }

    /// A new block at the top; 0 when memory is at its limit.
    #[inline(never)]
    unsafe fn bump(&mut self, need: usize) -> usize {
        if self.top == 0 {
            self.top = (&__heap_base as *const u8 as usize + 7) & !7;
            store(self.top, 0);
            store(self.top + 4, 0);
        }
        let block = self.top;
        if !reserve(block + need + TAG) {
            return 0;
        }
        // The size of the block before is in place: the sentinel held it.
        store(block, need as u32);
        self.top = block + need;
        store(self.top, 0);
        store(self.top + 4, need as u32);
        block
    }

    /// Frees a block and joins it with its neighbours.
    #[inline(never)]
    unsafe fn release(&mut self, mut block: usize) {
        let mut size = size_of(block);
        let next = block + size;
        let tag = load(next);
        if tag & FREE != 0 {
            let more = (tag & !FREE) as usize;
            self.pull(next, more);
            size += more;
        }
        let before = load(block + 4) as usize;
        if before != 0 && load(block - before) & FREE != 0 {
            block -= before;
            self.pull(block, before);
            size += before;
        }
        if block + size == self.top {
            self.top = block;
            store(block, 0);
            return;
        }
        self.push(block, size);
    }
}

/// Makes memory reach to `end`.
unsafe fn reserve(end: usize) -> bool {
    let have = memory_size(0) * PAGE;
    end <= have || memory_grow(0, (end - have + PAGE - 1) / PAGE) != usize::MAX
}

#[inline]
fn block_size(payload: usize) -> usize {
    let size = (payload + TAG + 7) & !7;
    if size < MIN {
        MIN
    } else {
        size
    }
}

unsafe impl GlobalAlloc for Heap {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // No type of the core wants more than 8.
        if layout.align() > 8 || layout.size() > 1 << 27 {
            return core::ptr::null_mut();
        }
        take(block_size(layout.size()))
    }

    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, _layout: Layout) {
        BINS_STATE.release(at as usize - TAG);
    }

    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, new: usize) -> *mut u8 {
        resize(at, layout, new)
    }
}

#[inline(never)]
unsafe fn take(need: usize) -> *mut u8 {
    let bins = &mut BINS_STATE;
    let block = bins.find(need);
    if block == 0 {
        let block = bins.bump(need);
        return if block == 0 { core::ptr::null_mut() } else { (block + TAG) as *mut u8 };
    }
    bins.settle(block, size_of(block), need);
    (block + TAG) as *mut u8
}

#[inline(never)]
unsafe fn resize(at: *mut u8, layout: Layout, new: usize) -> *mut u8 {
    if new > 1 << 27 {
        return core::ptr::null_mut();
    }
    let bins = &mut BINS_STATE;
    let block = at as usize - TAG;
    let have = size_of(block);
    let need = block_size(new);
    if need <= have {
        if have - need >= MIN {
            store(block, need as u32);
            store(block + need, (have - need) as u32);
            store(block + need + 4, need as u32);
            store(block + have + 4, (have - need) as u32);
            bins.release(block + need);
        }
        return at;
    }
    if block + have == bins.top {
        if !reserve(block + need + TAG) {
            return core::ptr::null_mut();
        }
        store(block, need as u32);
        bins.top = block + need;
        store(bins.top, 0);
        store(bins.top + 4, need as u32);
        return at;
    }
    let tag = load(block + have);
    let more = (tag & !FREE) as usize;
    if tag & FREE != 0 && have + more >= need {
        bins.pull(block + have, more);
        // The block behind must know the new size before it.
        store(block + have + more + 4, (have + more) as u32);
        bins.settle(block, have + more, need);
        return at;
    }
    let to = take(need);
    if !to.is_null() {
        core::ptr::copy_nonoverlapping(at, to, layout.size().min(new));
        bins.release(block);
    }
    to
}
