//! Which paths may leave the core. Lexical only: symlinks are the cell's business.
//!
//! A path is relative to the workspace. `.` and empty segments are neutral, `..` goes up one, and no
//! prefix may climb above the root. On Linux `a:b` and `a\b` are plain names.

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
/// unified diffs with or without git's extra lines; lines inside a counted hunk are never headers.
#[inline(never)]
pub fn escaping_path_of_patch(patch: &[u8]) -> Option<&[u8]> {
    let mut hunk = Hunk { old: 0, new: 0 };
    for line in patch.split(|&b| b == b'\n') {
        if hunk.takes(line) {
            continue;
        }
        if let Some(path) = header_path(line) {
            if path != b"/dev/null" && !is_confined(path) {
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

/// Begin-Patch and git lines whose rest is a path as it stands.
static PLAIN: [&[u8]; 9] = [
    b"*** Add File: ",
    b"*** Update File: ",
    b"*** Delete File: ",
    b"*** Move to: ",
    b"*** Rename File: ",
    b"rename from ",
    b"rename to ",
    b"copy from ",
    b"copy to ",
];

#[inline(never)]
fn header_path(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    for prefix in PLAIN.iter() {
        if let Some(path) = line.strip_prefix(*prefix) {
            return Some(path);
        }
    }
    let path = line.strip_prefix(b"--- ").or_else(|| line.strip_prefix(b"+++ "))?;
    // A tab ends the name: the rest is a time.
    let path = path.split(|&b| b == b'\t').next().unwrap_or(path);
    Some(path.strip_prefix(b"a/").or_else(|| path.strip_prefix(b"b/")).unwrap_or(path))
}
