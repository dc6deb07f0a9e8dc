//! The nine exports (ABI 2), and the table of sessions behind their handles.
//!
//! A handle is `generation << 32 | index`; generations begin at 1 and rise when a place is used
//! again, so an old handle never finds a new session. Who calls owns its buffers: inputs are read
//! during the call only, an output belongs to the caller until `dev_free`. An out-parameter is
//! written on OK only.

use crate::dev_zap::{Config, CONFIG};
use crate::log::{line, Level};
use crate::snapshot;
use crate::state::Session;
use crate::step::step;
use crate::zap::{open, Refusal};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

const OK: i32 = 0;
const HANDLE: i32 = -1;
const MALFORMED: i32 = -2;
const POISON: i32 = -3;
#[cfg(not(target_arch = "wasm32"))]
const PANIC: i32 = -4;
const NULL: i32 = -5;
#[cfg(not(target_arch = "wasm32"))]
const BUSY: i32 = -6;
const FULL: i32 = -7;

/// Sessions that one instance can hold.
#[cfg(target_arch = "wasm32")]
const SLOTS: usize = 64;
#[cfg(not(target_arch = "wasm32"))]
const SLOTS: usize = 16384;

/// The longest input; a longer one is refused by `dev_alloc`.
const MAX_INPUT: usize = 32 << 20;

const EMPTY: u32 = 0;
const ALIVE: u32 = 1;
/// A call is inside. In the wasm build it stays so after a trap, which is how it is known.
const INSIDE: u32 = 2;
#[cfg(not(target_arch = "wasm32"))]
const POISONED: u32 = 3;
/// A place that is being filled or emptied.
const CLAIMED: u32 = 4;
/// Dropped while a call was inside; the call empties the place when it leaves.
const DOOMED: u32 = 5;

struct Slot {
    state: AtomicU32,
    generation: AtomicU32,
    session: *mut Session,
}

#[allow(clippy::declare_interior_mutable_const)]
const FREE_SLOT: Slot = Slot {
    state: AtomicU32::new(EMPTY),
    generation: AtomicU32::new(0),
    session: core::ptr::null_mut(),
};

static mut TABLE: [Slot; SLOTS] = [FREE_SLOT; SLOTS];

/// A buffer that the core gives away: on wasm32 three u32.
#[repr(C)]
pub struct Buffer {
    ptr: *mut u8,
    len: usize,
    cap: usize,
}

#[inline]
unsafe fn slot(handle: i64) -> Option<&'static mut Slot> {
    let index = handle as u32 as usize;
    let generation = (handle >> 32) as u32;
    if index >= SLOTS || generation == 0 {
        return None;
    }
    let slot = &mut *(core::ptr::addr_of_mut!(TABLE) as *mut Slot).add(index);
    if slot.generation.load(Ordering::Acquire) != generation {
        return None;
    }
    Some(slot)
}

/// Puts a session into a free place.
#[inline(never)]
unsafe fn keep(session: Session) -> Option<i64> {
    for index in 0..SLOTS {
        let slot = &mut *(core::ptr::addr_of_mut!(TABLE) as *mut Slot).add(index);
        let claimed =
            slot.state.compare_exchange(EMPTY, CLAIMED, Ordering::AcqRel, Ordering::Relaxed);
        if claimed.is_err() {
            continue;
        }
        // 2^31 - 1 generations keep a handle positive; a place that has had them all is given up.
        let generation = slot.generation.load(Ordering::Relaxed) + 1;
        if generation > i32::MAX as u32 {
            continue;
        }
        slot.session = Box::into_raw(Box::new(session));
        slot.generation.store(generation, Ordering::Release);
        slot.state.store(ALIVE, Ordering::Release);
        return Some((generation as i64) << 32 | index as i64);
    }
    None
}

unsafe fn empty(slot: &mut Slot, is_sound: bool) {
    let session = slot.session;
    slot.session = core::ptr::null_mut();
    // What a trap left half changed is leaked, not walked.
    if is_sound && !session.is_null() {
        drop(Box::from_raw(session));
    }
    slot.state.store(EMPTY, Ordering::Release);
}

/// Runs a call inside a session.
#[inline]
unsafe fn inside(handle: i64, call: impl FnOnce(&mut Session) -> i32) -> i32 {
    let slot = match slot(handle) {
        Some(slot) => slot,
        None => return HANDLE,
    };
    if let Err(state) =
        slot.state.compare_exchange(ALIVE, INSIDE, Ordering::AcqRel, Ordering::Acquire)
    {
        return match state {
            #[cfg(target_arch = "wasm32")]
            INSIDE => POISON,
            #[cfg(not(target_arch = "wasm32"))]
            INSIDE => BUSY,
            #[cfg(not(target_arch = "wasm32"))]
            POISONED => POISON,
            _ => HANDLE,
        };
    }
    let status = guard(|| call(&mut *slot.session));
    #[cfg(not(target_arch = "wasm32"))]
    if status == PANIC {
        slot.state.store(POISONED, Ordering::Release);
        return status;
    }
    let left = slot.state.compare_exchange(INSIDE, ALIVE, Ordering::AcqRel, Ordering::Acquire);
    if left.is_err() {
        empty(slot, true);
    }
    status
}

#[cfg(target_arch = "wasm32")]
#[inline]
fn guard(call: impl FnOnce() -> i32) -> i32 {
    call()
}

#[cfg(not(target_arch = "wasm32"))]
fn guard(call: impl FnOnce() -> i32) -> i32 {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_or(PANIC)
}

#[inline]
unsafe fn input<'a>(ptr: *const u8, len: i32) -> Option<&'a [u8]> {
    if ptr.is_null() || len < 0 || len as usize > MAX_INPUT {
        return None;
    }
    Some(core::slice::from_raw_parts(ptr, len as usize))
}

#[inline]
unsafe fn give(out: *mut Buffer, bytes: Vec<u8>) {
    let mut bytes = core::mem::ManuallyDrop::new(bytes);
    (*out).ptr = bytes.as_mut_ptr();
    (*out).len = bytes.len();
    (*out).cap = bytes.capacity();
}

unsafe fn opened(made: Result<Session, Refusal>, what: &str, out: *mut i64) -> i32 {
    match made {
        Err(why) => {
            line(Level::Warn, what, why.0);
            MALFORMED
        }
        Ok(session) => match keep(session) {
            None => FULL,
            Some(handle) => {
                out.write_unaligned(handle);
                OK
            }
        },
    }
}

#[no_mangle]
pub extern "C" fn dev_abi() -> i32 {
    snapshot::ABI as i32
}

/// # Safety
/// `config` is readable for `len` bytes, `out` is writable for 8.
#[no_mangle]
#[inline(never)]
pub unsafe extern "C" fn dev_new(config: *const u8, len: i32, out: *mut i64) -> i32 {
    let bytes = match input(config, len) {
        Some(bytes) if !out.is_null() => bytes,
        _ => return NULL,
    };
    guard(|| {
        let made = open(bytes, &CONFIG).and_then(|root| Session::open(Config(root)));
        opened(made, "Config refused", out)
    })
}

/// # Safety
/// `event` is readable for `len` bytes, `out` is writable for a Buffer.
#[no_mangle]
#[inline(never)]
pub unsafe extern "C" fn dev_step(
    handle: i64,
    event: *const u8,
    len: i32,
    out: *mut Buffer,
) -> i32 {
    let bytes = match input(event, len) {
        Some(bytes) if !out.is_null() => bytes,
        _ => return NULL,
    };
    inside(handle, |session| match step(session, bytes) {
        Ok(actions) => {
            give(out, actions);
            OK
        }
        Err(why) => {
            line(Level::Warn, "event refused", why.0);
            MALFORMED
        }
    })
}

/// # Safety
/// `out` is writable for a Buffer.
#[no_mangle]
#[inline(never)]
pub unsafe extern "C" fn dev_snapshot(handle: i64, out: *mut Buffer) -> i32 {
    if out.is_null() {
        return NULL;
    }
    inside(handle, |session| {
        give(out, snapshot::save(session));
        OK
    })
}

/// # Safety
/// `state` is readable for `len` bytes, `out` is writable for 8.
#[no_mangle]
#[inline(never)]
pub unsafe extern "C" fn dev_restore(state: *const u8, len: i32, out: *mut i64) -> i32 {
    let bytes = match input(state, len) {
        Some(bytes) if !out.is_null() => bytes,
        _ => return NULL,
    };
    guard(|| opened(snapshot::restore(bytes), "snapshot refused", out))
}

/// # Safety
/// No other call uses the handle after this one has returned.
#[no_mangle]
#[inline(never)]
pub unsafe extern "C" fn dev_drop(handle: i64) {
    let slot = match slot(handle) {
        Some(slot) => slot,
        None => return,
    };
    for from in [ALIVE, INSIDE] {
        let to = if from == ALIVE { CLAIMED } else { DOOMED };
        if slot.state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            if from == ALIVE {
                empty(slot, true);
            } else if cfg!(target_arch = "wasm32") {
                // Nothing else can be inside: it trapped.
                empty(slot, false);
            }
            return;
        }
    }
    #[cfg(not(target_arch = "wasm32"))]
    if slot.state.compare_exchange(POISONED, CLAIMED, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        empty(slot, false);
    }
}

/// # Safety
/// `buffer` was filled by this module and is given back once.
#[no_mangle]
#[inline(never)]
pub unsafe extern "C" fn dev_free(buffer: *mut Buffer) {
    if buffer.is_null() || (*buffer).ptr.is_null() {
        return;
    }
    drop(Vec::from_raw_parts((*buffer).ptr, (*buffer).len, (*buffer).cap));
    (*buffer).ptr = core::ptr::null_mut();
    (*buffer).len = 0;
    (*buffer).cap = 0;
}

#[no_mangle]
#[inline(never)]
pub extern "C" fn dev_alloc(len: i32) -> *mut u8 {
    if len <= 0 || len as usize > MAX_INPUT {
        return core::ptr::null_mut();
    }
    unsafe {
        alloc::alloc::alloc_zeroed(core::alloc::Layout::from_size_align_unchecked(len as usize, 8))
    }
}

/// # Safety
/// `ptr` came from `dev_alloc(len)` and is given back once.
#[no_mangle]
#[inline(never)]
pub unsafe extern "C" fn dev_release(ptr: *mut u8, len: i32) {
    if ptr.is_null() || len <= 0 {
        return;
    }
    alloc::alloc::dealloc(ptr, core::alloc::Layout::from_size_align_unchecked(len as usize, 8));
}
