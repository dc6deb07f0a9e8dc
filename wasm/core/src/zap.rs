//! The ZAP wire format, dialect `shape`: a strict reader and a writer.
//!
//! Layout of a message (all integers little-endian):
//!
//! ```text
//!  0  magic 5A 41 50 00
//!  4  u16 version (1 or 2; we write 2)    6  u16 flags (0)
//!  8  u32 root, the position of the root object
//! 12  u32 size of the whole message
//! ```
//!
//! An object is a run of fixed size at a position; a pointer is relative to its own slot. The
//! writer puts what an object points to before the object, in field order, and its texts after it.
//! The reader accepts exactly that order, with gaps, so nothing can overlap or be visited twice,
//! and one pass with one cursor proves it. What passed [`open`] is read without further checks: by
//! then every slot, list and text is known to lie in the message.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::slice;

pub const HEADER: usize = 16;
const MAGIC: u32 = 0x0050_415A;
const VERSION: u16 = 2;

/// Why something was refused. The text goes to the log only.
pub struct Why(pub &'static str);

/// A single word, so that a result with it stays out of memory.
pub type Refusal = &'static Why;

/// What a pointer slot leads to.
pub enum Kind {
    /// One object: slot i32.
    Object(&'static Desc),
    /// Cells of i32, each to an object: slot i32 + u32 count.
    Pointers(&'static Desc),
    /// Objects without pointers or texts, one after the other.
    Records(&'static Desc),
    /// Packed numbers of this width in bytes.
    Numbers(u32),
}

/// A slot that is a pointer, at this offset.
pub struct Pointer {
    pub at: u32,
    pub kind: Kind,
}

/// A slot that is a text or bytes, at this offset.
pub struct Tail {
    pub at: u32,
    pub text: bool,
}

/// A u16 whose value must be 1 ..= max.
pub struct Enum {
    pub at: u32,
    pub max: u16,
}

/// The shape of one struct of the schema.
pub struct Desc {
    pub size: u32,
    pub pointers: &'static [Pointer],
    pub tails: &'static [Tail],
    pub enums: &'static [Enum],
}

/// Checks a whole message and returns its root object.
pub fn open<'a>(message: &'a [u8], root: &'static Desc) -> Result<View<'a>, Refusal> {
    if message.len() < HEADER || message.len() > i32::MAX as usize {
        return Err(&Why("length"));
    }
    if get_u32(message, 0) != MAGIC {
        return Err(&Why("magic"));
    }
    let version = get_u16(message, 4);
    if version != 1 && version != 2 {
        return Err(&Why("version"));
    }
    if get_u16(message, 6) != 0 {
        return Err(&Why("flags"));
    }
    if get_u32(message, 12) as usize != message.len() {
        return Err(&Why("size"));
    }
    let at = get_u32(message, 8);
    let mut walk =
        Walk { base: message.as_ptr(), end: message.len() as u32, cursor: HEADER as u32 };
    walk.object(root, at)?;
    // The walk has seen that the object, and all that it leads to, lies in the message.
    Ok(unsafe { View::new(message.as_ptr().add(at as usize)) })
}

/// One pass over a message. Positions are below `end`, which is at most `i32::MAX`, so sums of
/// two of them and of a position and the size of an object fit in a u32.
struct Walk {
    base: *const u8,
    end: u32,
    /// Everything below is taken.
    cursor: u32,
}

impl Walk {
    /// # Safety
    /// `at + 4` is at most `end`.
    #[inline]
    unsafe fn u32(&self, at: u32) -> u32 {
        u32::from_le((self.base.add(at as usize) as *const u32).read_unaligned())
    }

    /// # Safety
    /// `at + 2` is at most `end`.
    #[inline]
    unsafe fn u16(&self, at: u32) -> u16 {
        u16::from_le((self.base.add(at as usize) as *const u16).read_unaligned())
    }

    #[inline(never)]
    fn object(&mut self, desc: &'static Desc, at: u32) -> Result<(), Refusal> {
        if at < HEADER as u32 || at > i32::MAX as u32 || at + desc.size > self.end {
            return Err(&Why("object out of bounds"));
        }
        // All slots of the object are in bounds now.
        for pointer in desc.pointers {
            self.pointer(pointer, at + pointer.at)?;
        }
        self.take(at, desc.size)?;
        self.enums(desc, at)?;
        for tail in desc.tails {
            self.tail(tail, at + tail.at)?;
        }
        Ok(())
    }

    /// `slot` is in an object that is in bounds.
    #[inline]
    fn pointer(&mut self, pointer: &'static Pointer, slot: u32) -> Result<(), Refusal> {
        let rel = unsafe { self.u32(slot) };
        match pointer.kind {
            Kind::Object(_) if rel == 0 => Ok(()),
            Kind::Object(child) => self.object(child, target(slot, rel)?),
            Kind::Pointers(element) => self.list(slot, rel, 4, Some(element), None),
            Kind::Records(element) => self.list(slot, rel, element.size, None, Some(element)),
            Kind::Numbers(width) => self.list(slot, rel, width, None, None),
        }
    }

    /// `slot` is the slot of a list in an object that is in bounds.
    #[inline(never)]
    fn list(
        &mut self,
        slot: u32,
        rel: u32,
        width: u32,
        pointers: Option<&'static Desc>,
        records: Option<&'static Desc>,
    ) -> Result<(), Refusal> {
        let count = unsafe { self.u32(slot + 4) };
        if rel == 0 || count == 0 {
            // The writer leaves an empty list null.
            return if rel == 0 && count == 0 { Ok(()) } else { Err(&Why("half a list")) };
        }
        let at = target(slot, rel)?;
        if at >= self.end || count as u64 * width as u64 > (self.end - at) as u64 {
            return Err(&Why("list out of bounds"));
        }
        if let Some(desc) = pointers {
            for i in 0..count {
                let cell = at + i * 4;
                let rel = unsafe { self.u32(cell) };
                if rel == 0 {
                    return Err(&Why("null in a list"));
                }
                self.object(desc, target(cell, rel)?)?;
            }
        }
        self.take(at, count * width)?;
        if let Some(desc) = records {
            for i in 0..count {
                self.enums(desc, at + i * width)?;
            }
        }
        Ok(())
    }

    /// `slot` is the slot of a text or bytes in an object that is in bounds.
    #[inline]
    fn tail(&mut self, tail: &'static Tail, slot: u32) -> Result<(), Refusal> {
        let rel = unsafe { self.u32(slot) };
        let len = unsafe { self.u32(slot + 4) };
        if rel == 0 || len == 0 {
            return if rel == 0 && len == 0 { Ok(()) } else { Err(&Why("half a text")) };
        }
        if rel > self.end {
            return Err(&Why("out of bounds"));
        }
        let at = slot + rel;
        self.take(at, len)?;
        if tail.text {
            let text = unsafe { slice::from_raw_parts(self.base.add(at as usize), len as usize) };
            if !is_utf8(text) {
                return Err(&Why("not UTF-8"));
            }
        }
        Ok(())
    }

    /// The object at `at` is in bounds.
    #[inline]
    fn enums(&self, desc: &'static Desc, at: u32) -> Result<(), Refusal> {
        for e in desc.enums {
            let value = unsafe { self.u16(at + e.at) };
            if value == 0 || value > e.max {
                return Err(&Why("unknown variant"));
            }
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, at: u32, len: u32) -> Result<(), Refusal> {
        if at < self.cursor {
            return Err(&Why("overlap or order"));
        }
        if at > self.end || len > self.end - at {
            return Err(&Why("out of bounds"));
        }
        self.cursor = at + len;
        Ok(())
    }
}

/// Where a pointer leads. Below `HEADER` and above `i32::MAX` there is nothing.
#[inline]
fn target(slot: u32, rel: u32) -> Result<u32, Refusal> {
    let at = slot.wrapping_add(rel);
    if at < HEADER as u32 || at > i32::MAX as u32 {
        return Err(&Why("pointer into the header"));
    }
    Ok(at)
}

#[inline(never)]
fn is_utf8(bytes: &[u8]) -> bool {
    is_ascii(bytes) || core::str::from_utf8(bytes).is_ok()
}

/// Eight bytes at a time, four times in a row: most texts are ASCII.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let len = bytes.len();
    if len < 8 {
        return bytes.iter().fold(0, |all, b| all | b) < 0x80;
    }
    let word = |at: usize| unsafe { (bytes.as_ptr().add(at) as *const u64).read_unaligned() };
    let mut at = 0;
    while at + 32 <= len {
        if (word(at) | word(at + 8) | word(at + 16) | word(at + 24)) & HIGH != 0 {
            return false;
        }
        at += 32;
    }
    let mut high = word(len - 8);
    while at + 8 <= len {
        high |= word(at);
        at += 8;
    }
    high & HIGH == 0
}

#[inline]
pub fn get_u16(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}

#[inline]
pub fn get_u32(b: &[u8], at: usize) -> u32 {
    let mut x = [0; 4];
    x.copy_from_slice(&b[at..at + 4]);
    u32::from_le_bytes(x)
}

#[inline]
pub fn get_u64(b: &[u8], at: usize) -> u64 {
    let mut x = [0; 8];
    x.copy_from_slice(&b[at..at + 8]);
    u64::from_le_bytes(x)
}

/// An object of a message that passed [`open`]: nothing of it is checked again. The offsets that
/// are asked for come from the schema, by which the message was checked.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct View<'a> {
    at: *const u8,
    message: PhantomData<&'a [u8]>,
}

impl<'a> View<'a> {
    /// # Safety
    /// `at` is the place of an object of a message that passed [`open`] and lives as long as `'a`.
    #[inline]
    unsafe fn new(at: *const u8) -> View<'a> {
        View { at, message: PhantomData }
    }

    #[inline]
    fn slot(self, at: u32) -> *const u8 {
        unsafe { self.at.add(at as usize) }
    }

    #[inline]
    pub fn bool(self, at: u32) -> bool {
        unsafe { *self.slot(at) != 0 }
    }

    #[inline]
    pub fn u16(self, at: u32) -> u16 {
        u16::from_le(unsafe { (self.slot(at) as *const u16).read_unaligned() })
    }

    #[inline]
    pub fn u32(self, at: u32) -> u32 {
        u32::from_le(unsafe { (self.slot(at) as *const u32).read_unaligned() })
    }

    #[inline]
    pub fn u64(self, at: u32) -> u64 {
        u64::from_le(unsafe { (self.slot(at) as *const u64).read_unaligned() })
    }

    /// A text or bytes.
    #[inline]
    pub fn bytes(self, at: u32) -> &'a [u8] {
        let rel = self.u32(at) as usize;
        if rel == 0 {
            return &[];
        }
        unsafe { slice::from_raw_parts(self.slot(at).add(rel), self.u32(at + 4) as usize) }
    }

    /// Fixed bytes; `len` comes from the schema.
    #[inline]
    pub fn fixed(self, at: u32, len: u32) -> &'a [u8] {
        unsafe { slice::from_raw_parts(self.slot(at), len as usize) }
    }

    #[inline]
    pub fn child(self, at: u32) -> Option<View<'a>> {
        let rel = self.u32(at) as i32;
        if rel == 0 {
            return None;
        }
        Some(unsafe { View::new(self.slot(at).offset(rel as isize)) })
    }

    #[inline]
    pub fn list(self, at: u32) -> List<'a> {
        let rel = self.u32(at) as i32;
        List {
            at: unsafe { self.slot(at).offset(rel as isize) },
            count: self.u32(at + 4),
            message: PhantomData,
        }
    }
}

/// A list of a message that passed [`open`].
#[derive(Clone, Copy)]
pub struct List<'a> {
    at: *const u8,
    pub count: u32,
    message: PhantomData<&'a [u8]>,
}

impl<'a> List<'a> {
    /// Where an element lies.
    ///
    /// # Panics
    /// If there are not as many.
    #[inline]
    fn element(self, i: u32, stride: u32) -> *const u8 {
        assert!(i < self.count);
        unsafe { self.at.add((i * stride) as usize) }
    }

    /// Element of a list of pointers.
    #[inline]
    pub fn pointer(self, i: u32) -> View<'a> {
        let cell = self.element(i, 4);
        unsafe {
            let rel = i32::from_le((cell as *const i32).read_unaligned());
            View::new(cell.offset(rel as isize))
        }
    }

    /// Element of a list of records.
    #[inline]
    pub fn record(self, i: u32, stride: u32) -> View<'a> {
        unsafe { View::new(self.element(i, stride)) }
    }

    #[inline]
    pub fn u64(self, i: u32) -> u64 {
        u64::from_le(unsafe { (self.element(i, 8) as *const u64).read_unaligned() })
    }

    /// All elements of a packed list, as they lie.
    #[inline]
    pub fn raw(self, stride: u32) -> &'a [u8] {
        if self.count == 0 {
            return &[];
        }
        unsafe { slice::from_raw_parts(self.at, (self.count * stride) as usize) }
    }
}

/// Positions of objects; the first eight need no memory of their own.
pub struct Positions {
    few: [MaybeUninit<u32>; 8],
    count: usize,
    /// All of them, when there are more than eight.
    many: Vec<u32>,
}

impl Positions {
    #[inline]
    pub fn new() -> Positions {
        Positions { few: [MaybeUninit::uninit(); 8], count: 0, many: Vec::new() }
    }

    #[inline]
    pub fn push(&mut self, position: u32) {
        if self.count < self.few.len() {
            self.few[self.count] = MaybeUninit::new(position);
            self.count += 1;
        } else {
            self.push_many(position);
        }
    }

    #[inline(never)]
    fn push_many(&mut self, position: u32) {
        if self.count == self.few.len() {
            self.many = self.all().to_vec();
        }
        self.many.push(position);
        self.count += 1;
    }

    #[inline]
    pub fn all(&self) -> &[u32] {
        if self.count <= self.few.len() {
            // The first `count` were pushed.
            unsafe { slice::from_raw_parts(self.few.as_ptr() as *const u32, self.count) }
        } else {
            &self.many
        }
    }

    #[inline]
    pub fn count(&self) -> u32 {
        self.count as u32
    }
}

/// Builds one message. Objects are written pointees first; the texts of an object right after it.
pub struct Writer {
    pub buffer: Vec<u8>,
}

impl Writer {
    pub fn with_capacity(bytes: usize) -> Writer {
        let mut buffer = Vec::with_capacity(bytes.max(HEADER));
        let first = MAGIC as u64 | (VERSION as u64) << 32;
        unsafe {
            let header = buffer.as_mut_ptr() as *mut u64;
            header.write_unaligned(first.to_le());
            header.add(1).write_unaligned(0);
            buffer.set_len(HEADER);
        }
        Writer { buffer }
    }

    #[inline]
    pub fn pos(&self) -> u32 {
        self.buffer.len() as u32
    }

    /// Appends zeros up to a position.
    #[inline]
    fn zeros(&mut self, to: usize) {
        let from = self.buffer.len();
        self.buffer.reserve(to - from);
        unsafe {
            self.buffer.as_mut_ptr().add(from).write_bytes(0, to - from);
            self.buffer.set_len(to);
        }
    }

    /// Pads to a multiple of 8 and returns the position.
    #[inline]
    pub fn align8(&mut self) -> u32 {
        let at = (self.buffer.len() + 7) & !7;
        if at != self.buffer.len() {
            self.zeros(at);
        }
        at as u32
    }

    /// A new object of zeros.
    #[inline]
    pub fn start(&mut self, size: u32) -> u32 {
        let at = (self.buffer.len() + 7) & !7;
        self.zeros(at + size as usize);
        at as u32
    }

    /// A slot of an object that was started, or of the header.
    #[inline]
    fn slot(&mut self, at: u32, len: usize) -> *mut u8 {
        debug_assert!(at as usize + len <= self.buffer.len());
        unsafe { self.buffer.as_mut_ptr().add(at as usize) }
    }

    #[inline]
    pub fn put_bool(&mut self, at: u32, v: bool) {
        unsafe { *self.slot(at, 1) = v as u8 }
    }

    #[inline]
    pub fn put_u16(&mut self, at: u32, v: u16) {
        unsafe { (self.slot(at, 2) as *mut u16).write_unaligned(v.to_le()) }
    }

    #[inline]
    pub fn put_u32(&mut self, at: u32, v: u32) {
        unsafe { (self.slot(at, 4) as *mut u32).write_unaligned(v.to_le()) }
    }

    #[inline]
    pub fn put_u64(&mut self, at: u32, v: u64) {
        unsafe { (self.slot(at, 8) as *mut u64).write_unaligned(v.to_le()) }
    }

    pub fn put_fixed(&mut self, at: u32, v: &[u8]) {
        self.buffer[at as usize..at as usize + v.len()].copy_from_slice(v);
    }

    /// A text or bytes of the object that was started last.
    #[inline]
    pub fn put_bytes(&mut self, at: u32, v: &[u8]) {
        if v.is_empty() {
            return;
        }
        let pos = self.pos();
        self.buffer.extend_from_slice(v);
        self.put_u32(at, pos - at);
        self.put_u32(at + 4, v.len() as u32);
    }

    /// Points to an object; 0 is null.
    #[inline]
    pub fn put_child(&mut self, at: u32, child: u32) {
        if child != 0 {
            self.put_u32(at, child.wrapping_sub(at));
        }
    }

    #[inline]
    pub fn put_list(&mut self, at: u32, list: u32, count: u32) {
        if list != 0 && count != 0 {
            self.put_u32(at, list.wrapping_sub(at));
            self.put_u32(at + 4, count);
        }
    }

    /// Writes the cells of a list of pointers and returns its position; 0 for an empty list.
    #[inline(never)]
    pub fn pointers(&mut self, objects: &[u32]) -> u32 {
        if objects.is_empty() {
            return 0;
        }
        let at = self.start(4 * objects.len() as u32);
        let mut cell = at;
        for object in objects {
            self.put_u32(cell, object.wrapping_sub(cell));
            cell += 4;
        }
        at
    }

    /// Writes packed elements and returns the position of the list; 0 for an empty list.
    pub fn packed(&mut self, elements: &[u8]) -> u32 {
        if elements.is_empty() {
            return 0;
        }
        let at = self.align8();
        self.buffer.extend_from_slice(elements);
        at
    }

    pub fn numbers(&mut self, elements: &[u64]) -> u32 {
        if elements.is_empty() {
            return 0;
        }
        let at = self.align8();
        for v in elements {
            self.buffer.extend_from_slice(&v.to_le_bytes());
        }
        at
    }

    /// Writes an object of another message, with all that it points to.
    #[inline(never)]
    pub fn copy(&mut self, desc: &'static Desc, from: View) -> u32 {
        // Few structs have more than eight pointers, and those are never copied.
        let mut targets = [0u32; 8];
        for (target, pointer) in targets.iter_mut().zip(desc.pointers) {
            *target = match pointer.kind {
                Kind::Object(child) => match from.child(pointer.at) {
                    Some(view) => self.copy(child, view),
                    None => 0,
                },
                Kind::Pointers(element) => self.copy_pointers(element, from.list(pointer.at)),
                Kind::Records(element) => self.packed(from.list(pointer.at).raw(element.size)),
                Kind::Numbers(width) => self.packed(from.list(pointer.at).raw(width)),
            };
        }
        let at = self.align8();
        self.buffer.extend_from_slice(from.fixed(0, desc.size));
        for (target, pointer) in targets.iter().zip(desc.pointers) {
            self.put_child(at + pointer.at, *target);
        }
        for tail in desc.tails {
            self.put_bytes(at + tail.at, from.bytes(tail.at));
        }
        at
    }

    #[inline(never)]
    pub fn copy_pointers(&mut self, desc: &'static Desc, list: List) -> u32 {
        let mut objects = Positions::new();
        for i in 0..list.count {
            objects.push(self.copy(desc, list.pointer(i)));
        }
        self.pointers(objects.all())
    }

    /// Completes the header.
    #[inline]
    pub fn finish(&mut self, root: u32) {
        let size = self.pos();
        self.put_u64(8, root as u64 | (size as u64) << 32);
    }
}
