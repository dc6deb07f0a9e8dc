//! Which paths may leave the core. Lexical only: symlinks are the cell's business.
//!
//! A path is relative to the workspace. `.` and empty segments are neutral, `..` goes up one, and no
//! prefix may climb above the root. On Linux `a:b` and `a\b` are plain names.

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Whether a path stays in the workspace. The empty path does not.
#[inline(never)]
pub fn is_confined(path: &[u8]) -> bool {
    if path.is_empty() || path[0] == b'/' || path.contains(&0) {
        return false;
    }
    let mut depth: i32 = 0;
    for segment in path.split(|&b| b == b'/') {
        match segment {
            b"" | b"." => {}
            b".." => {
                depth -= 1;
                if depth < 0 {
                    return false;
                }
            }
            _ => depth += 1,
        }
    }
    true
}

/// The first path of a patch that does not stay in the workspace. Knows `*** Begin Patch` texts and
/// unified diffs with or without git's extra lines; lines inside a counted hunk are no headers of these.
#[inline(never)]
pub fn escaping_path_of_patch(patch: &[u8]) -> Option<Cow<[u8]>> {
    let mut hunk = Hunk { old: 0, new: 0 };
    for line in patch.split(|&b| b == b'\n') {
        // No line of a hunk begins like the headers of a Begin-Patch text, whatever the counts say.
        let header = envelope_path(line);
        let path = if hunk.takes(line) { header } else { header.or_else(|| header_path(line)) };
        if let Some(path) = path {
            if path[..] != *b"/dev/null" && !is_confined(&path) {
                return Some(path);
            }
        }
    }
    None
}

/// Lines of a hunk that are still to come.
struct Hunk {
    old: u32,
    new: u32,
}

impl Hunk {
    fn takes(&mut self, line: &[u8]) -> bool {
        if self.old == 0 && self.new == 0 {
            if let Some((old, new)) = counts(line) {
                self.old = old;
                self.new = new;
                return true;
            }
            return false;
        }
        match line.first() {
            Some(b'-') => self.old = self.old.saturating_sub(1),
            Some(b'+') => self.new = self.new.saturating_sub(1),
            Some(b'\\') => {}
            _ => {
                self.old = self.old.saturating_sub(1);
                self.new = self.new.saturating_sub(1);
            }
        }
        true
    }
}

/// The counts of `@@ -1,2 +3,4 @@`.
#[inline(never)]
fn counts(line: &[u8]) -> Option<(u32, u32)> {
    let rest = line.strip_prefix(b"@@ -")?;
    let (_, rest) = number(rest)?;
    let (old, rest) = count(rest)?;
    let rest = rest.strip_prefix(b" +")?;
    let (_, rest) = number(rest)?;
    let (new, rest) = count(rest)?;
    rest.strip_prefix(b" @@")?;
    Some((old, new))
}

fn count(text: &[u8]) -> Option<(u32, &[u8])> {
    match text.strip_prefix(b",") {
        Some(rest) => number(rest),
        None => Some((1, text)),
    }
}

fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || digits > 9 {
        return None;
    }
    let value = text[..digits].iter().fold(0, |n, b| n * 10 + (b - b'0') as u32);
    Some((value, &text[digits..]))
}

/// Lines of a Begin-Patch text whose rest is a path; blanks around it do not count.
static ENVELOPE: [&[u8]; 5] = [
    b"*** Add File: ",
    b"*** Update File: ",
    b"*** Delete File: ",
    b"*** Move to: ",
    b"*** Rename File: ",
];

/// Lines of git whose rest is a path, perhaps in quotes.
static GIT: [&[u8]; 4] = [b"rename from ", b"rename to ", b"copy from ", b"copy to "];

#[inline(never)]
fn envelope_path(line: &[u8]) -> Option<Cow<[u8]>> {
    let mut path = ENVELOPE.iter().find_map(|prefix| line.strip_prefix(*prefix))?;
    while let [0..=b' ', rest @ ..] | [rest @ .., 0..=b' '] = path {
        path = rest;
    }
    Some(Cow::Borrowed(path))
}

/// The file of a `diff --git a/X b/X` line, which may be all that names it. X may have blanks, so
/// the halves are found by their length.
#[inline(never)]
fn git_path(names: &[u8]) -> Option<Cow<[u8]>> {
    let half = names.len() / 2;
    if names.len() % 2 == 0 || names[half] != b' ' {
        return None;
    }
    Some(bare(unquoted(&names[half + 1..])))
}

/// Without the `a/` or `b/` that git puts before a name.
fn bare(path: Cow<[u8]>) -> Cow<[u8]> {
    let is_prefixed = path.starts_with(b"a/") || path.starts_with(b"b/");
    if is_prefixed {
        Cow::Owned(path[2..].to_vec())
    } else {
        path
    }
}

#[inline(never)]
fn header_path(line: &[u8]) -> Option<Cow<[u8]>> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if let Some(names) = line.strip_prefix(b"diff --git ") {
        return git_path(names);
    }
    if let Some(path) = GIT.iter().find_map(|prefix| line.strip_prefix(*prefix)) {
        return Some(unquoted(path));
    }
    let path = line.strip_prefix(b"--- ").or_else(|| line.strip_prefix(b"+++ "))?;
    // A tab ends the name: the rest is a time.
    Some(bare(unquoted(path.split(|&b| b == b'\t').next().unwrap_or(path))))
}

/// A name that git has put in quotes, as in C; any other as it stands.
#[inline(never)]
fn unquoted(path: &[u8]) -> Cow<[u8]> {
    let inner = match path.strip_prefix(b"\"").and_then(|p| p.strip_suffix(b"\"")) {
        Some(inner) => inner,
        None => return Cow::Borrowed(path),
    };
    let mut name = Vec::with_capacity(inner.len());
    let mut i = 0;
    while i < inner.len() {
        let b = inner[i];
        i += 1;
        if b != b'\\' || i == inner.len() {
            name.push(b);
            continue;
        }
        let digits = inner[i..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
        if digits > 0 {
            let octal = &inner[i..i + digits];
            name.push(octal.iter().fold(0u32, |n, b| n * 8 + (b - b'0') as u32) as u8);
            i += digits;
            continue;
        }
        name.push(match inner[i] {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            other => other,
        });
        i += 1;
    }
    Cow::Owned(name)
}
