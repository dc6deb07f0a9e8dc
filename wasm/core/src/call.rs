//! Which of the model's calls may leave the core.

use crate::dev_zap::*;
use crate::hash::hash;
use crate::path::{escaping_path_of_patch, is_confined};
use crate::state::{find_tool, has_kind};
use crate::zap::View;
use alloc::vec::Vec;

/// An hour, the longest a command may be given.
const MAX_TIMEOUT_MILLIS: u32 = 3_600_000;

/// As many as a Config may have.
const MAX_GIVEN_TOOLS: u32 = 256;

pub enum Verdict<'a> {
    /// Goes out as an action with these arguments.
    Out(View<'a>),
    Plan(Plan<'a>),
    Agent(Agent<'a>),
    /// Recorded as a failed tool message with this text.
    Refused(Vec<u8>),
}

/// Judges one call against the tools of its context.
#[inline(never)]
pub fn judge<'a>(call: Call<'a>, tools: &[u8]) -> Verdict<'a> {
    if call.kind() == tool_kind::INVALID {
        let why = call.invalid().map(|i| i.message()).unwrap_or(b"");
        return Verdict::Refused(join(&[b"refused: ", short(why)]));
    }
    let named = find_tool(tools, call.tool());
    if !has_kind(tools, call.kind()) || (named != 0 && named != call.kind()) {
        return Verdict::Refused(join(&[b"refused: there is no tool ", short(call.tool())]));
    }
    match arguments(call) {
        Some(verdict) => verdict,
        None => Verdict::Refused(b"refused: the call has no arguments".to_vec()),
    }
}

#[inline(never)]
fn arguments<'a>(call: Call<'a>) -> Option<Verdict<'a>> {
    let verdict = match call.kind() {
        tool_kind::READ => path(call.read()?.path(), call.read()?.0),
        tool_kind::WRITE => path(call.write()?.path(), call.write()?.0),
        tool_kind::STAT => path(call.stat()?.path(), call.stat()?.0),
        tool_kind::LIST => optional(call.list()?.path(), call.list()?.0),
        tool_kind::SEARCH => search(call.search()?),
        tool_kind::PATCH => patch(call.patch()?),
        tool_kind::EXEC => exec(call.exec()?),
        tool_kind::GIT => git(call.git()?),
        tool_kind::BROWSE => needed(call.browse()?.url(), b"url", call.browse()?.0),
        tool_kind::ASK => needed(call.ask()?.question(), b"question", call.ask()?.0),
        tool_kind::SEND => needed(call.send()?.channel(), b"channel", call.send()?.0),
        tool_kind::PLAN => Verdict::Plan(call.plan()?),
        tool_kind::AGENT => agent(call.agent()?),
        _ => return None,
    };
    Some(verdict)
}

#[inline(never)]
fn path<'a>(path: &[u8], args: View<'a>) -> Verdict<'a> {
    if is_confined(path) {
        Verdict::Out(args)
    } else {
        outside(path)
    }
}

/// A path that may be left out.
#[inline(never)]
fn optional<'a>(path: &[u8], args: View<'a>) -> Verdict<'a> {
    if path.is_empty() || is_confined(path) {
        Verdict::Out(args)
    } else {
        outside(path)
    }
}

#[inline(never)]
fn outside<'a>(path: &[u8]) -> Verdict<'a> {
    let text: &[&[u8]] = &[b"refused: the path \"", short(path), b"\" leaves the workspace"];
    Verdict::Refused(join(text))
}

#[inline(never)]
fn needed<'a>(value: &[u8], name: &[u8], args: View<'a>) -> Verdict<'a> {
    if value.is_empty() {
        Verdict::Refused(join(&[b"refused: ", name, b" is missing"]))
    } else {
        Verdict::Out(args)
    }
}

#[inline(never)]
fn search(args: Search) -> Verdict {
    match needed(args.pattern(), b"pattern", args.0) {
        Verdict::Out(view) => optional(args.path(), view),
        refused => refused,
    }
}

#[inline(never)]
fn patch(args: Patch) -> Verdict {
    if args.patch().is_empty() && args.blob().is_none() {
        return Verdict::Refused(b"refused: patch is missing".to_vec());
    }
    match escaping_path_of_patch(args.patch()) {
        Some(path) => outside(&path),
        None => Verdict::Out(args.0),
    }
}

#[inline(never)]
fn exec(args: Exec) -> Verdict {
    let argv = args.argv();
    if argv.count == 0 || args.argv_at(0).value().is_empty() {
        return Verdict::Refused(b"refused: argv is missing".to_vec());
    }
    for i in 0..argv.count {
        if args.argv_at(i).value().contains(&0) {
            return Verdict::Refused(b"refused: argv holds a NUL".to_vec());
        }
    }
    if args.timeout_millis() > MAX_TIMEOUT_MILLIS {
        return Verdict::Refused(b"refused: timeoutMillis is above 3600000".to_vec());
    }
    optional(args.cwd(), args.0)
}

#[inline(never)]
fn git(args: Git) -> Verdict {
    let argv = args.argv();
    if argv.count == 0 {
        return Verdict::Refused(b"refused: argv is missing".to_vec());
    }
    for i in 0..argv.count {
        if args.argv_at(i).value().contains(&0) {
            return Verdict::Refused(b"refused: argv holds a NUL".to_vec());
        }
    }
    optional(args.cwd(), args.0)
}

#[inline(never)]
fn agent(args: Agent) -> Verdict {
    if args.task().is_empty() {
        return Verdict::Refused(b"refused: task is missing".to_vec());
    }
    if args.tools().count > MAX_GIVEN_TOOLS {
        return Verdict::Refused(b"refused: more than 256 tools are given away".to_vec());
    }
    Verdict::Agent(args)
}

/// The beginning of what somebody else wrote, for a text that is kept until the next ask.
pub fn short(text: &[u8]) -> &[u8] {
    const MOST: usize = 512;
    if text.len() <= MOST {
        return text;
    }
    let mut end = MOST;
    // Not in the middle of a character.
    while end > 0 && text[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    &text[..end]
}

/// The signature of a call that never went out.
pub fn refusal_signature(kind: u16, text: &[u8]) -> u64 {
    hash(0x100 | kind as u64, text)
}

#[inline(never)]
pub fn join(parts: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::with_capacity(parts.iter().map(|p| p.len()).sum());
    for part in parts {
        text.extend_from_slice(part);
    }
    text
}

/// The word for a kind in what the core says to the model.
pub fn word(kind: u16) -> &'static [u8] {
    match kind {
        tool_kind::READ => b"read",
        tool_kind::WRITE => b"write",
        tool_kind::PATCH => b"patch",
        tool_kind::EXEC => b"exec",
        tool_kind::GIT => b"git",
        tool_kind::BROWSE => b"browse",
        tool_kind::ASK => b"ask",
        tool_kind::AGENT => b"agent",
        tool_kind::PLAN => b"plan",
        tool_kind::LIST => b"list",
        tool_kind::SEARCH => b"search",
        tool_kind::STAT => b"stat",
        tool_kind::SEND => b"send",
        _ => b"invalid",
    }
}

pub fn decimal(mut n: u64) -> Vec<u8> {
    let mut digits = Vec::with_capacity(20);
    loop {
        digits.push(b'0' + (n % 10) as u8);
        n /= 10;
        if n == 0 {
            break;
        }
    }
    digits.reverse();
    digits
}
