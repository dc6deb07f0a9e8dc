//! The reasoning core of hanzo dev: events in, actions out, and nothing else. Begin at `step`.
//!
//! Two builds of the same sources: `dev.wasm` (no std, three imports) and `libdev.so` (for tests and
//! benchmarks, over std so that a panic can be caught).

#![cfg_attr(target_arch = "wasm32", no_std)]
#![cfg_attr(target_arch = "wasm32", feature(alloc_error_handler))]

extern crate alloc;

mod abi;
mod call;
mod compact;
mod dev_zap;
mod hash;
#[cfg(target_arch = "wasm32")]
mod heap;
mod log;
mod output;
mod path;
mod reply;
mod snapshot;
mod state;
mod step;
mod turn;
mod zap;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static HEAP: heap::Heap = heap::Heap;

#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    let place = info.location().map(|l| l.file()).unwrap_or("?");
    log::line(log::Level::Error, "panic", place);
    core::arch::wasm32::unreachable()
}

#[cfg(target_arch = "wasm32")]
#[alloc_error_handler]
fn out_of_memory(_: core::alloc::Layout) -> ! {
    log::line(log::Level::Error, "panic", "out of memory");
    core::arch::wasm32::unreachable()
}
