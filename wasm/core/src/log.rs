//! Diagnostics on descriptor 2, and the level of them from the environment. Never texts of a
//! session. The only imports of the core are here; nothing that they answer reaches the state.

/// Lines in the life of an instance; after that there is silence.
#[cfg(target_arch = "wasm32")]
const MAX_LINES: u32 = 200;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
#[repr(u8)]
#[allow(dead_code)]
pub enum Level {
    Off = 1,
    Error = 2,
    Warn = 3,
    Debug = 4,
}

#[cfg(target_arch = "wasm32")]
mod wasi {
    #[link(wasm_import_module = "wasi_snapshot_preview1")]
    extern "C" {
        pub fn environ_get(pointers: *mut u32, bytes: *mut u8) -> i32;
        pub fn environ_sizes_get(count: *mut u32, bytes: *mut u32) -> i32;
        pub fn fd_write(fd: i32, runs: *const u32, count: i32, written: *mut u32) -> i32;
    }
}

#[cfg(target_arch = "wasm32")]
static mut LEVEL: u8 = 0;
#[cfg(target_arch = "wasm32")]
static mut LINES: u32 = 0;

/// Writes `core: WHAT: WHY` when the level allows it.
#[cfg(target_arch = "wasm32")]
#[inline(never)]
pub fn line(level: Level, what: &str, why: &str) {
    unsafe {
        if LEVEL == 0 {
            LEVEL = level_of_environment() as u8;
        }
        if level as u8 > LEVEL || LINES >= MAX_LINES {
            return;
        }
        LINES += 1;
        let parts = ["core: ", what, ": ", why, "\n"];
        let mut runs = [0u32; 10];
        for (i, part) in parts.iter().enumerate() {
            runs[2 * i] = part.as_ptr() as u32;
            runs[2 * i + 1] = part.len() as u32;
        }
        let mut written = 0;
        wasi::fd_write(2, runs.as_ptr(), 5, &mut written);
    }
}

/// HANZO_CORE_LOG = off | error | warn | debug; warn when it is not set or too long to look for.
#[cfg(target_arch = "wasm32")]
unsafe fn level_of_environment() -> Level {
    const NAME: &[u8] = b"HANZO_CORE_LOG=";
    let mut count = 0;
    let mut bytes = 0;
    let mut pointers = [0u32; 16];
    let mut text = [0u8; 512];
    let is_readable = wasi::environ_sizes_get(&mut count, &mut bytes) == 0
        && count as usize <= pointers.len()
        && bytes as usize <= text.len()
        && wasi::environ_get(pointers.as_mut_ptr(), text.as_mut_ptr()) == 0;
    if !is_readable {
        return Level::Warn;
    }
    for variable in text[..bytes as usize].split(|&b| b == 0) {
        match variable.strip_prefix(NAME) {
            Some(b"off") => return Level::Off,
            Some(b"error") => return Level::Error,
            Some(b"debug") => return Level::Debug,
            _ => {}
        }
    }
    Level::Warn
}

/// The native build is for tests and says nothing.
#[cfg(not(target_arch = "wasm32"))]
pub fn line(_level: Level, _what: &str, _why: &str) {}
