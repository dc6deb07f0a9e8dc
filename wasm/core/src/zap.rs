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
//! and one pass with one cursor proves it. What passed [`open`] is read without further checks of
//! meaning; slices keep their bounds checks.

use alloc::vec::Vec;

pub const HEADER: usize = 16;
const MAGIC: u32 = 0x0050_415A;
const VERSION: u16 = 2;

/// Why a message was refused. The text goes to the log only.
pub type Refusal = &'static str;

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
        return Err("length");
    }
    if get_u32(message, 0) != MAGIC {
        return Err("magic");
    }
    let version = get_u16(message, 4);
    if version != 1 && version != 2 {
        return Err("version");
    }
    if get_u16(message, 6) != 0 {
        return Err("flags");
    }
    if get_u32(message, 12) as usize != message.len() {
        return Err("size");
    }
    let at = get_u32(message, 8);
    let mut walk = Walk { message, cursor: HEADER as u64 };
    walk.object(root, at as u64)?;
    Ok(View { message, at })
}

struct Walk<'a> {
    message: &'a [u8],
    /// Everything below is taken.
    cursor: u64,
}

impl<'a> Walk<'a> {
    #[inline(never)]
    fn object(&mut self, desc: &'static Desc, at: u64) -> Result<(), Refusal> {
        if at < HEADER as u64 || at + desc.size as u64 > self.message.len() as u64 {
            return Err("object out of bounds");
        }
        for pointer in desc.pointers {
            self.pointer(pointer, at + pointer.at as u64)?;
        }
        self.take(at, desc.size as u64)?;
        self.enums(desc, at)?;
        for tail in desc.tails {
            self.tail(tail, at + tail.at as u64)?;
        }
        Ok(())
    }

    #[inline]
    fn pointer(&mut self, pointer: &'static Pointer, slot: u64) -> Result<(), Refusal> {
        let rel = get_u32(self.message, slot as usize) as i32;
        match pointer.kind {
            Kind::Object(desc) => {
                if rel == 0 {
                    return Ok(());
                }
                self.object(desc, target(slot, rel)?)
            }
            Kind::Pointers(desc) => self.list(slot, rel, 4, Some(desc), None),
            Kind::Records(desc) => self.list(slot, rel, desc.size as u64, None, Some(desc)),
            Kind::Numbers(width) => self.list(slot, rel, width as u64, None, None),
        }
    }

    #[inline(never)]
    fn list(
        &mut self,
        slot: u64,
        rel: i32,
        width: u64,
        pointers: Option<&'static Desc>,
        records: Option<&'static Desc>,
    ) -> Result<(), Refusal> {
        let count = get_u32(self.message, slot as usize + 4) as u64;
        if rel == 0 || count == 0 {
            // The writer leaves an empty list null.
            return if rel == 0 && count == 0 { Ok(()) } else { Err("half a list") };
        }
        let at = target(slot, rel)?;
        let end = self.message.len() as u64;
        if at >= end || count * width > end - at {
            return Err("list out of bounds");
        }
        if let Some(desc) = pointers {
            for i in 0..count {
                let cell = at + i * 4;
                let rel = get_u32(self.message, cell as usize) as i32;
                if rel == 0 {
                    return Err("null in a list");
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

    #[inline]
    fn tail(&mut self, tail: &'static Tail, slot: u64) -> Result<(), Refusal> {
        let rel = get_u32(self.message, slot as usize) as u64;
        let len = get_u32(self.message, slot as usize + 4) as u64;
        if rel == 0 || len == 0 {
            return if rel == 0 && len == 0 { Ok(()) } else { Err("half a text") };
        }
        let at = slot + rel;
        self.take(at, len)?;
        if tail.text && !is_utf8(&self.message[at as usize..(at + len) as usize]) {
            return Err("not UTF-8");
        }
        Ok(())
    }

    #[inline]
    fn enums(&self, desc: &'static Desc, at: u64) -> Result<(), Refusal> {
        for e in desc.enums {
            let value = get_u16(self.message, (at + e.at as u64) as usize);
            if value == 0 || value > e.max {
                return Err("unknown variant");
            }
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, at: u64, len: u64) -> Result<(), Refusal> {
        if at < self.cursor {
            return Err("overlap or order");
        }
        if at + len > self.message.len() as u64 {
            return Err("out of bounds");
        }
        self.cursor = at + len;
        Ok(())
    }
}

#[inline]
fn target(slot: u64, rel: i32) -> Result<u64, Refusal> {
    let at = slot as i64 + rel as i64;
    if at < HEADER as i64 {
        return Err("pointer into the header");
    }
    Ok(at as u64)
}

#[inline(never)]
fn is_utf8(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_ok()
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

/// An object of a message that passed [`open`].
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub message: &'a [u8],
    pub at: u32,
}

impl<'a> View<'a> {
    #[inline]
    fn slot(self, at: u32) -> usize {
        (self.at + at) as usize
    }

    #[inline]
    pub fn bool(self, at: u32) -> bool {
        self.message[self.slot(at)] != 0
    }

    #[inline]
    pub fn u16(self, at: u32) -> u16 {
        get_u16(self.message, self.slot(at))
    }

    #[inline]
    pub fn u32(self, at: u32) -> u32 {
        get_u32(self.message, self.slot(at))
    }

    #[inline]
    pub fn u64(self, at: u32) -> u64 {
        get_u64(self.message, self.slot(at))
    }

    /// A text, bytes, or fixed bytes when `len` comes from the schema.
    #[inline]
    pub fn bytes(self, at: u32) -> &'a [u8] {
        let slot = self.slot(at);
        let rel = get_u32(self.message, slot) as usize;
        if rel == 0 {
            return &[];
        }
        let len = get_u32(self.message, slot + 4) as usize;
        &self.message[slot + rel..slot + rel + len]
    }

    #[inline]
    pub fn fixed(self, at: u32, len: u32) -> &'a [u8] {
        &self.message[self.slot(at)..self.slot(at) + len as usize]
    }

    #[inline]
    pub fn child(self, at: u32) -> Option<View<'a>> {
        let rel = self.u32(at) as i32;
        if rel == 0 {
            return None;
        }
        Some(View { message: self.message, at: (self.at + at).wrapping_add(rel as u32) })
    }

    #[inline]
    pub fn list(self, at: u32) -> List<'a> {
        let slot = self.at + at;
        let rel = get_u32(self.message, slot as usize);
        List {
            message: self.message,
            at: slot.wrapping_add(rel),
            count: get_u32(self.message, slot as usize + 4),
        }
    }
}

/// A list of a message that passed [`open`].
#[derive(Clone, Copy)]
pub struct List<'a> {
    pub message: &'a [u8],
    pub at: u32,
    pub count: u32,
}

impl<'a> List<'a> {
    /// Element of a list of pointers.
    #[inline]
    pub fn pointer(self, i: u32) -> View<'a> {
        let cell = self.at + i * 4;
        let rel = get_u32(self.message, cell as usize);
        View { message: self.message, at: cell.wrapping_add(rel) }
    }

    /// Element of a list of records.
    #[inline]
    pub fn record(self, i: u32, stride: u32) -> View<'a> {
        View { message: self.message, at: self.at + i * stride }
    }

    #[inline]
    pub fn u64(self, i: u32) -> u64 {
        get_u64(self.message, (self.at + i * 8) as usize)
    }

    /// All elements of a packed list, as they lie.
    #[inline]
    pub fn raw(self, stride: u32) -> &'a [u8] {
        if self.count == 0 {
            return &[];
        }
        let at = self.at as usize;
        &self.message[at..at + (self.count * stride) as usize]
    }
}

/// Builds one message. Objects are written pointees first; the texts of an object right after it.
pub struct Writer {
    pub buffer: Vec<u8>,
}

impl Writer {
    pub fn with_capacity(bytes: usize) -> Writer {
        let mut buffer = Vec::with_capacity(bytes);
        buffer.resize(HEADER, 0);
        Writer { buffer }
    }

    #[inline]
    pub fn pos(&self) -> u32 {
        self.buffer.len() as u32
    }

    /// Pads to a multiple of 8 and returns the position.
    #[inline]
    pub fn align8(&mut self) -> u32 {
        let at = (self.buffer.len() + 7) & !7;
        self.buffer.resize(at, 0);
        at as u32
    }

    /// A new object of zeros.
    #[inline]
    pub fn start(&mut self, size: u32) -> u32 {
        let at = (self.buffer.len() + 7) & !7;
        self.buffer.resize(at + size as usize, 0);
        at as u32
    }

    #[inline]
    pub fn put_bool(&mut self, at: u32, v: bool) {
        self.buffer[at as usize] = v as u8;
    }

    #[inline]
    pub fn put_u16(&mut self, at: u32, v: u16) {
        self.buffer[at as usize..at as usize + 2].copy_from_slice(&v.to_le_bytes());
    }

    #[inline]
    pub fn put_u32(&mut self, at: u32, v: u32) {
        self.buffer[at as usize..at as usize + 4].copy_from_slice(&v.to_le_bytes());
    }

    #[inline]
    pub fn put_u64(&mut self, at: u32, v: u64) {
        self.buffer[at as usize..at as usize + 8].copy_from_slice(&v.to_le_bytes());
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
    pub fn pointers(&mut self, objects: &[u32]) -> u32 {
        if objects.is_empty() {
            return 0;
        }
        let at = self.align8();
        for (i, object) in objects.iter().enumerate() {
            let cell = at + 4 * i as u32;
            self.buffer.extend_from_slice(&object.wrapping_sub(cell).to_le_bytes());
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
        let mut counts = [0u32; 8];
        for (i, pointer) in desc.pointers.iter().enumerate() {
            match pointer.kind {
                Kind::Object(child) => {
                    if let Some(view) = from.child(pointer.at) {
                        targets[i] = self.copy(child, view);
                    }
                }
                Kind::Pointers(element) => {
                    let list = from.list(pointer.at);
                    targets[i] = self.copy_pointers(element, list);
                    counts[i] = list.count;
                }
                Kind::Records(element) => {
                    let list = from.list(pointer.at);
                    targets[i] = self.packed(list.raw(element.size));
                    counts[i] = list.count;
                }
                Kind::Numbers(width) => {
                    let list = from.list(pointer.at);
                    targets[i] = self.packed(list.raw(width));
                    counts[i] = list.count;
                }
            }
        }
        let at = self.align8();
        self.buffer.extend_from_slice(from.fixed(0, desc.size));
        for (i, pointer) in desc.pointers.iter().enumerate() {
            let slot = at + pointer.at;
            if targets[i] != 0 {
                self.put_u32(slot, targets[i].wrapping_sub(slot));
            }
        }
        for tail in desc.tails {
            let bytes = from.bytes(tail.at);
            self.put_bytes(at + tail.at, bytes);
        }
        at
    }

    #[inline(never)]
    pub fn copy_pointers(&mut self, desc: &'static Desc, list: List) -> u32 {
        let mut objects = Vec::with_capacity(list.count as usize);
        for i in 0..list.count {
            objects.push(self.copy(desc, list.pointer(i)));
        }
        self.pointers(&objects)
    }

    /// Writes the header.
    pub fn finish(&mut self, root: u32) {
        let size = self.pos();
        self.put_u32(0, MAGIC);
        self.put_u16(4, VERSION);
        self.put_u32(8, root);
        self.put_u32(12, size);
    }
}
