//! Generated from the schema by the compiler in zap-codec. Do not edit.
#![allow(dead_code)]

use crate::zap;

pub mod tool_kind {
    pub const READ: u16 = 1;
    pub const WRITE: u16 = 2;
    pub const PATCH: u16 = 3;
    pub const EXEC: u16 = 4;
    pub const GIT: u16 = 5;
    pub const BROWSE: u16 = 6;
    pub const ASK: u16 = 7;
    pub const AGENT: u16 = 8;
    pub const PLAN: u16 = 9;
    pub const LIST: u16 = 10;
    pub const SEARCH: u16 = 11;
    pub const STAT: u16 = 12;
    pub const SEND: u16 = 13;
    pub const INVALID: u16 = 14;
}

pub mod event_kind {
    pub const TURN: u16 = 1;
    pub const MODEL: u16 = 2;
    pub const MODEL_FAILED: u16 = 3;
    pub const EXEC: u16 = 4;
    pub const FILE: u16 = 5;
    pub const GIT: u16 = 6;
    pub const BROWSE: u16 = 7;
    pub const ANSWER: u16 = 8;
    pub const TIMER: u16 = 9;
    pub const CANCEL: u16 = 10;
    pub const RESUME: u16 = 11;
    pub const CONFIGURE: u16 = 12;
}

pub mod plan_status {
    pub const PENDING: u16 = 1;
    pub const ACTIVE: u16 = 2;
    pub const DONE: u16 = 3;
}

pub mod failure_code {
    pub const CONTEXT_OVERFLOW: u16 = 1;
    pub const MALFORMED: u16 = 2;
    pub const UNAVAILABLE: u16 = 3;
    pub const REFUSED: u16 = 4;
    pub const KEY_MISSING: u16 = 5;
    pub const TIMED_OUT: u16 = 6;
}

pub mod result_status {
    pub const OK: u16 = 1;
    pub const FAILED: u16 = 2;
    pub const DENIED: u16 = 3;
    pub const IN_DOUBT: u16 = 4;
    pub const CANCELLED: u16 = 5;
}

pub mod action_kind {
    pub const MODEL: u16 = 1;
    pub const READ: u16 = 2;
    pub const WRITE: u16 = 3;
    pub const PATCH: u16 = 4;
    pub const EXEC: u16 = 5;
    pub const GIT: u16 = 6;
    pub const BROWSE: u16 = 7;
    pub const ASK: u16 = 8;
    pub const SEND: u16 = 9;
    pub const EMIT: u16 = 10;
    pub const SAVE: u16 = 11;
    pub const DONE: u16 = 12;
    pub const LIST: u16 = 13;
    pub const SEARCH: u16 = 14;
    pub const STAT: u16 = 15;
}

pub mod purpose {
    pub const TURN: u16 = 1;
    pub const COMPACT: u16 = 2;
    pub const AGENT: u16 = 3;
}

pub mod edit_kind {
    pub const APPEND: u16 = 1;
    pub const REPLACE: u16 = 2;
}

pub mod role {
    pub const SYSTEM: u16 = 1;
    pub const USER: u16 = 2;
    pub const ASSISTANT: u16 = 3;
    pub const TOOL: u16 = 4;
}

pub mod emit_kind {
    pub const SAY: u16 = 1;
    pub const THINK: u16 = 2;
    pub const PLAN: u16 = 3;
    pub const PROGRESS: u16 = 4;
}

pub mod outcome_kind {
    pub const COMPLETE: u16 = 1;
    pub const CANCELLED: u16 = 2;
    pub const FAILED: u16 = 3;
}

pub static TEXT: zap::Desc = zap::Desc {
    size: 8,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Text<'a>(pub zap::View<'a>);

impl<'a> Text<'a> {
    pub const SIZE: u32 = 8;
    #[inline]
    pub fn value(self) -> &'a [u8] {
        self.0.bytes(0)
    }
}

pub struct TextBuilder(pub u32);

impl TextBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> TextBuilder {
        TextBuilder(w.start(8))
    }
    #[inline]
    pub fn value(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
}

pub static BLOB: zap::Desc = zap::Desc {
    size: 56,
    pointers: &[],
    tails: &[
        zap::Tail { at: 40, text: true },
        zap::Tail { at: 48, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Blob<'a>(pub zap::View<'a>);

impl<'a> Blob<'a> {
    pub const SIZE: u32 = 56;
    #[inline]
    pub fn digest(self) -> &'a [u8] {
        self.0.fixed(0, 32)
    }
    #[inline]
    pub fn size_bytes(self) -> u64 {
        self.0.u64(32)
    }
    #[inline]
    pub fn media_type(self) -> &'a [u8] {
        self.0.bytes(40)
    }
    #[inline]
    pub fn name(self) -> &'a [u8] {
        self.0.bytes(48)
    }
}

pub struct BlobBuilder(pub u32);

impl BlobBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> BlobBuilder {
        BlobBuilder(w.start(56))
    }
    #[inline]
    pub fn digest(&self, w: &mut zap::Writer, v: &[u8; 32]) {
        w.put_fixed(self.0 + 0, v)
    }
    #[inline]
    pub fn size_bytes(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 32, v)
    }
    #[inline]
    pub fn media_type(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 40, v)
    }
    #[inline]
    pub fn name(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 48, v)
    }
}

pub static CONFIG: zap::Desc = zap::Desc {
    size: 40,
    pointers: &[
        zap::Pointer { at: 28, kind: zap::Kind::Pointers(&TOOL) },
        zap::Pointer { at: 36, kind: zap::Kind::Object(&LIMITS) },
    ],
    tails: &[
        zap::Tail { at: 4, text: true },
        zap::Tail { at: 12, text: true },
        zap::Tail { at: 20, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Config<'a>(pub zap::View<'a>);

impl<'a> Config<'a> {
    pub const SIZE: u32 = 40;
    #[inline]
    pub fn format_version(self) -> u32 {
        self.0.u32(0)
    }
    #[inline]
    pub fn prelude(self) -> &'a [u8] {
        self.0.bytes(4)
    }
    #[inline]
    pub fn instructions(self) -> &'a [u8] {
        self.0.bytes(12)
    }
    #[inline]
    pub fn model(self) -> &'a [u8] {
        self.0.bytes(20)
    }
    #[inline]
    pub fn tools(self) -> zap::List<'a> {
        self.0.list(28)
    }
    #[inline]
    pub fn tools_at(self, i: u32) -> Tool<'a> {
        Tool(self.0.list(28).pointer(i))
    }
    pub const LIMITS_AT: u32 = 36;
    #[inline]
    pub fn limits(self) -> Option<Limits<'a>> {
        self.0.child(36).map(Limits)
    }
}

pub struct ConfigBuilder(pub u32);

impl ConfigBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ConfigBuilder {
        ConfigBuilder(w.start(40))
    }
    #[inline]
    pub fn format_version(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 0, v)
    }
    #[inline]
    pub fn prelude(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 4, v)
    }
    #[inline]
    pub fn instructions(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 12, v)
    }
    #[inline]
    pub fn model(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 20, v)
    }
    #[inline]
    pub fn tools(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 28, list, count)
    }
    #[inline]
    pub fn limits(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 36, child)
    }
}

pub static TOOL: zap::Desc = zap::Desc {
    size: 28,
    pointers: &[],
    tails: &[
        zap::Tail { at: 4, text: true },
        zap::Tail { at: 12, text: true },
        zap::Tail { at: 20, text: true },
    ],
    enums: &[
        zap::Enum { at: 0, max: 14 },
    ],
};

#[derive(Clone, Copy)]
pub struct Tool<'a>(pub zap::View<'a>);

impl<'a> Tool<'a> {
    pub const SIZE: u32 = 28;
    #[inline]
    pub fn kind(self) -> u16 {
        self.0.u16(0)
    }
    #[inline]
    pub fn name(self) -> &'a [u8] {
        self.0.bytes(4)
    }
    #[inline]
    pub fn description(self) -> &'a [u8] {
        self.0.bytes(12)
    }
    #[inline]
    pub fn schema(self) -> &'a [u8] {
        self.0.bytes(20)
    }
}

pub struct ToolBuilder(pub u32);

impl ToolBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ToolBuilder {
        ToolBuilder(w.start(28))
    }
    #[inline]
    pub fn kind(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 0, v)
    }
    #[inline]
    pub fn name(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 4, v)
    }
    #[inline]
    pub fn description(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 12, v)
    }
    #[inline]
    pub fn schema(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 20, v)
    }
}

pub static LIMITS: zap::Desc = zap::Desc {
    size: 48,
    pointers: &[],
    tails: &[],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Limits<'a>(pub zap::View<'a>);

impl<'a> Limits<'a> {
    pub const SIZE: u32 = 48;
    #[inline]
    pub fn queued_turns(self) -> u32 {
        self.0.u32(0)
    }
    #[inline]
    pub fn steps_per_turn(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn depth(self) -> u32 {
        self.0.u32(8)
    }
    #[inline]
    pub fn agent_steps(self) -> u32 {
        self.0.u32(12)
    }
    #[inline]
    pub fn message_bytes(self) -> u32 {
        self.0.u32(16)
    }
    #[inline]
    pub fn context_tokens(self) -> u32 {
        self.0.u32(20)
    }
    #[inline]
    pub fn transcript_bytes(self) -> u64 {
        self.0.u64(24)
    }
    #[inline]
    pub fn turn_tokens(self) -> u64 {
        self.0.u64(32)
    }
    #[inline]
    pub fn same_failures(self) -> u32 {
        self.0.u32(40)
    }
    #[inline]
    pub fn calls_per_reply(self) -> u32 {
        self.0.u32(44)
    }
}

pub struct LimitsBuilder(pub u32);

impl LimitsBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> LimitsBuilder {
        LimitsBuilder(w.start(48))
    }
    #[inline]
    pub fn queued_turns(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 0, v)
    }
    #[inline]
    pub fn steps_per_turn(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn depth(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 8, v)
    }
    #[inline]
    pub fn agent_steps(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 12, v)
    }
    #[inline]
    pub fn message_bytes(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 16, v)
    }
    #[inline]
    pub fn context_tokens(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 20, v)
    }
    #[inline]
    pub fn transcript_bytes(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 24, v)
    }
    #[inline]
    pub fn turn_tokens(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 32, v)
    }
    #[inline]
    pub fn same_failures(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 40, v)
    }
    #[inline]
    pub fn calls_per_reply(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 44, v)
    }
}

pub static EVENT: zap::Desc = zap::Desc {
    size: 48,
    pointers: &[
        zap::Pointer { at: 16, kind: zap::Kind::Object(&TURN) },
        zap::Pointer { at: 20, kind: zap::Kind::Object(&MODEL_REPLY) },
        zap::Pointer { at: 24, kind: zap::Kind::Object(&MODEL_FAILED) },
        zap::Pointer { at: 28, kind: zap::Kind::Object(&RESULT) },
        zap::Pointer { at: 32, kind: zap::Kind::Object(&ANSWER) },
        zap::Pointer { at: 36, kind: zap::Kind::Object(&CANCEL) },
        zap::Pointer { at: 40, kind: zap::Kind::Object(&RESUME) },
        zap::Pointer { at: 44, kind: zap::Kind::Object(&CONFIG) },
    ],
    tails: &[],
    enums: &[
        zap::Enum { at: 0, max: 12 },
    ],
};

#[derive(Clone, Copy)]
pub struct Event<'a>(pub zap::View<'a>);

impl<'a> Event<'a> {
    pub const SIZE: u32 = 48;
    #[inline]
    pub fn kind(self) -> u16 {
        self.0.u16(0)
    }
    #[inline]
    pub fn has(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn entry(self) -> u64 {
        self.0.u64(8)
    }
    pub const TURN_AT: u32 = 16;
    #[inline]
    pub fn turn(self) -> Option<Turn<'a>> {
        self.0.child(16).map(Turn)
    }
    pub const MODEL_AT: u32 = 20;
    #[inline]
    pub fn model(self) -> Option<ModelReply<'a>> {
        self.0.child(20).map(ModelReply)
    }
    pub const MODEL_FAILED_AT: u32 = 24;
    #[inline]
    pub fn model_failed(self) -> Option<ModelFailed<'a>> {
        self.0.child(24).map(ModelFailed)
    }
    pub const RESULT_AT: u32 = 28;
    #[inline]
    pub fn result(self) -> Option<Result<'a>> {
        self.0.child(28).map(Result)
    }
    pub const ANSWER_AT: u32 = 32;
    #[inline]
    pub fn answer(self) -> Option<Answer<'a>> {
        self.0.child(32).map(Answer)
    }
    pub const CANCEL_AT: u32 = 36;
    #[inline]
    pub fn cancel(self) -> Option<Cancel<'a>> {
        self.0.child(36).map(Cancel)
    }
    pub const RESUME_AT: u32 = 40;
    #[inline]
    pub fn resume(self) -> Option<Resume<'a>> {
        self.0.child(40).map(Resume)
    }
    pub const CONFIGURE_AT: u32 = 44;
    #[inline]
    pub fn configure(self) -> Option<Config<'a>> {
        self.0.child(44).map(Config)
    }
}

pub struct EventBuilder(pub u32);

impl EventBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> EventBuilder {
        EventBuilder(w.start(48))
    }
    #[inline]
    pub fn kind(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 0, v)
    }
    #[inline]
    pub fn has(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn entry(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
    #[inline]
    pub fn turn(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 16, child)
    }
    #[inline]
    pub fn model(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 20, child)
    }
    #[inline]
    pub fn model_failed(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 24, child)
    }
    #[inline]
    pub fn result(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 28, child)
    }
    #[inline]
    pub fn answer(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 32, child)
    }
    #[inline]
    pub fn cancel(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 36, child)
    }
    #[inline]
    pub fn resume(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 40, child)
    }
    #[inline]
    pub fn configure(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 44, child)
    }
}

pub static TURN: zap::Desc = zap::Desc {
    size: 24,
    pointers: &[
        zap::Pointer { at: 16, kind: zap::Kind::Pointers(&BLOB) },
    ],
    tails: &[
        zap::Tail { at: 8, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Turn<'a>(pub zap::View<'a>);

impl<'a> Turn<'a> {
    pub const SIZE: u32 = 24;
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn prompt(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    #[inline]
    pub fn attachments(self) -> zap::List<'a> {
        self.0.list(16)
    }
    #[inline]
    pub fn attachments_at(self, i: u32) -> Blob<'a> {
        Blob(self.0.list(16).pointer(i))
    }
}

pub struct TurnBuilder(pub u32);

impl TurnBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> TurnBuilder {
        TurnBuilder(w.start(24))
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn prompt(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn attachments(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 16, list, count)
    }
}

pub static MODEL_REPLY: zap::Desc = zap::Desc {
    size: 32,
    pointers: &[
        zap::Pointer { at: 20, kind: zap::Kind::Pointers(&CALL) },
        zap::Pointer { at: 28, kind: zap::Kind::Object(&USAGE) },
    ],
    tails: &[
        zap::Tail { at: 12, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct ModelReply<'a>(pub zap::View<'a>);

impl<'a> ModelReply<'a> {
    pub const SIZE: u32 = 32;
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn has(self) -> u32 {
        self.0.u32(8)
    }
    #[inline]
    pub fn text(self) -> &'a [u8] {
        self.0.bytes(12)
    }
    #[inline]
    pub fn calls(self) -> zap::List<'a> {
        self.0.list(20)
    }
    #[inline]
    pub fn calls_at(self, i: u32) -> Call<'a> {
        Call(self.0.list(20).pointer(i))
    }
    pub const USAGE_AT: u32 = 28;
    #[inline]
    pub fn usage(self) -> Option<Usage<'a>> {
        self.0.child(28).map(Usage)
    }
}

pub struct ModelReplyBuilder(pub u32);

impl ModelReplyBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ModelReplyBuilder {
        ModelReplyBuilder(w.start(32))
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn has(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 8, v)
    }
    #[inline]
    pub fn text(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 12, v)
    }
    #[inline]
    pub fn calls(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 20, list, count)
    }
    #[inline]
    pub fn usage(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 28, child)
    }
}

pub static USAGE: zap::Desc = zap::Desc {
    size: 16,
    pointers: &[],
    tails: &[],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Usage<'a>(pub zap::View<'a>);

impl<'a> Usage<'a> {
    pub const SIZE: u32 = 16;
    #[inline]
    pub fn input_tokens(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn output_tokens(self) -> u64 {
        self.0.u64(8)
    }
}

pub struct UsageBuilder(pub u32);

impl UsageBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> UsageBuilder {
        UsageBuilder(w.start(16))
    }
    #[inline]
    pub fn input_tokens(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn output_tokens(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
}

pub static CALL: zap::Desc = zap::Desc {
    size: 84,
    pointers: &[
        zap::Pointer { at: 28, kind: zap::Kind::Object(&READ) },
        zap::Pointer { at: 32, kind: zap::Kind::Object(&WRITE) },
        zap::Pointer { at: 36, kind: zap::Kind::Object(&PATCH) },
        zap::Pointer { at: 40, kind: zap::Kind::Object(&EXEC) },
        zap::Pointer { at: 44, kind: zap::Kind::Object(&GIT) },
        zap::Pointer { at: 48, kind: zap::Kind::Object(&BROWSE) },
        zap::Pointer { at: 52, kind: zap::Kind::Object(&ASK) },
        zap::Pointer { at: 56, kind: zap::Kind::Object(&AGENT) },
        zap::Pointer { at: 60, kind: zap::Kind::Object(&PLAN) },
        zap::Pointer { at: 64, kind: zap::Kind::Object(&LIST) },
        zap::Pointer { at: 68, kind: zap::Kind::Object(&SEARCH) },
        zap::Pointer { at: 72, kind: zap::Kind::Object(&STAT) },
        zap::Pointer { at: 76, kind: zap::Kind::Object(&SEND) },
        zap::Pointer { at: 80, kind: zap::Kind::Object(&INVALID) },
    ],
    tails: &[
        zap::Tail { at: 8, text: true },
        zap::Tail { at: 16, text: true },
    ],
    enums: &[
        zap::Enum { at: 0, max: 14 },
    ],
};

#[derive(Clone, Copy)]
pub struct Call<'a>(pub zap::View<'a>);

impl<'a> Call<'a> {
    pub const SIZE: u32 = 84;
    #[inline]
    pub fn kind(self) -> u16 {
        self.0.u16(0)
    }
    #[inline]
    pub fn has(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn call_id(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    #[inline]
    pub fn tool(self) -> &'a [u8] {
        self.0.bytes(16)
    }
    #[inline]
    pub fn size_bytes(self) -> u32 {
        self.0.u32(24)
    }
    pub const READ_AT: u32 = 28;
    #[inline]
    pub fn read(self) -> Option<Read<'a>> {
        self.0.child(28).map(Read)
    }
    pub const WRITE_AT: u32 = 32;
    #[inline]
    pub fn write(self) -> Option<Write<'a>> {
        self.0.child(32).map(Write)
    }
    pub const PATCH_AT: u32 = 36;
    #[inline]
    pub fn patch(self) -> Option<Patch<'a>> {
        self.0.child(36).map(Patch)
    }
    pub const EXEC_AT: u32 = 40;
    #[inline]
    pub fn exec(self) -> Option<Exec<'a>> {
        self.0.child(40).map(Exec)
    }
    pub const GIT_AT: u32 = 44;
    #[inline]
    pub fn git(self) -> Option<Git<'a>> {
        self.0.child(44).map(Git)
    }
    pub const BROWSE_AT: u32 = 48;
    #[inline]
    pub fn browse(self) -> Option<Browse<'a>> {
        self.0.child(48).map(Browse)
    }
    pub const ASK_AT: u32 = 52;
    #[inline]
    pub fn ask(self) -> Option<Ask<'a>> {
        self.0.child(52).map(Ask)
    }
    pub const AGENT_AT: u32 = 56;
    #[inline]
    pub fn agent(self) -> Option<Agent<'a>> {
        self.0.child(56).map(Agent)
    }
    pub const PLAN_AT: u32 = 60;
    #[inline]
    pub fn plan(self) -> Option<Plan<'a>> {
        self.0.child(60).map(Plan)
    }
    pub const LIST_AT: u32 = 64;
    #[inline]
    pub fn list(self) -> Option<List<'a>> {
        self.0.child(64).map(List)
    }
    pub const SEARCH_AT: u32 = 68;
    #[inline]
    pub fn search(self) -> Option<Search<'a>> {
        self.0.child(68).map(Search)
    }
    pub const STAT_AT: u32 = 72;
    #[inline]
    pub fn stat(self) -> Option<Stat<'a>> {
        self.0.child(72).map(Stat)
    }
    pub const SEND_AT: u32 = 76;
    #[inline]
    pub fn send(self) -> Option<Send<'a>> {
        self.0.child(76).map(Send)
    }
    pub const INVALID_AT: u32 = 80;
    #[inline]
    pub fn invalid(self) -> Option<Invalid<'a>> {
        self.0.child(80).map(Invalid)
    }
}

pub struct CallBuilder(pub u32);

impl CallBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> CallBuilder {
        CallBuilder(w.start(84))
    }
    #[inline]
    pub fn kind(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 0, v)
    }
    #[inline]
    pub fn has(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn call_id(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn tool(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 16, v)
    }
    #[inline]
    pub fn size_bytes(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 24, v)
    }
    #[inline]
    pub fn read(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 28, child)
    }
    #[inline]
    pub fn write(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 32, child)
    }
    #[inline]
    pub fn patch(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 36, child)
    }
    #[inline]
    pub fn exec(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 40, child)
    }
    #[inline]
    pub fn git(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 44, child)
    }
    #[inline]
    pub fn browse(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 48, child)
    }
    #[inline]
    pub fn ask(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 52, child)
    }
    #[inline]
    pub fn agent(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 56, child)
    }
    #[inline]
    pub fn plan(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 60, child)
    }
    #[inline]
    pub fn list(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 64, child)
    }
    #[inline]
    pub fn search(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 68, child)
    }
    #[inline]
    pub fn stat(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 72, child)
    }
    #[inline]
    pub fn send(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 76, child)
    }
    #[inline]
    pub fn invalid(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 80, child)
    }
}

pub static AGENT: zap::Desc = zap::Desc {
    size: 16,
    pointers: &[
        zap::Pointer { at: 8, kind: zap::Kind::Pointers(&TEXT) },
    ],
    tails: &[
        zap::Tail { at: 0, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Agent<'a>(pub zap::View<'a>);

impl<'a> Agent<'a> {
    pub const SIZE: u32 = 16;
    #[inline]
    pub fn task(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn tools(self) -> zap::List<'a> {
        self.0.list(8)
    }
    #[inline]
    pub fn tools_at(self, i: u32) -> Text<'a> {
        Text(self.0.list(8).pointer(i))
    }
}

pub struct AgentBuilder(pub u32);

impl AgentBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> AgentBuilder {
        AgentBuilder(w.start(16))
    }
    #[inline]
    pub fn task(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn tools(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 8, list, count)
    }
}

pub static PLAN: zap::Desc = zap::Desc {
    size: 8,
    pointers: &[
        zap::Pointer { at: 0, kind: zap::Kind::Pointers(&PLAN_ITEM) },
    ],
    tails: &[],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Plan<'a>(pub zap::View<'a>);

impl<'a> Plan<'a> {
    pub const SIZE: u32 = 8;
    #[inline]
    pub fn items(self) -> zap::List<'a> {
        self.0.list(0)
    }
    #[inline]
    pub fn items_at(self, i: u32) -> PlanItem<'a> {
        PlanItem(self.0.list(0).pointer(i))
    }
}

pub struct PlanBuilder(pub u32);

impl PlanBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> PlanBuilder {
        PlanBuilder(w.start(8))
    }
    #[inline]
    pub fn items(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 0, list, count)
    }
}

pub static PLAN_ITEM: zap::Desc = zap::Desc {
    size: 10,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
    ],
    enums: &[
        zap::Enum { at: 8, max: 3 },
    ],
};

#[derive(Clone, Copy)]
pub struct PlanItem<'a>(pub zap::View<'a>);

impl<'a> PlanItem<'a> {
    pub const SIZE: u32 = 10;
    #[inline]
    pub fn text(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn status(self) -> u16 {
        self.0.u16(8)
    }
}

pub struct PlanItemBuilder(pub u32);

impl PlanItemBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> PlanItemBuilder {
        PlanItemBuilder(w.start(10))
    }
    #[inline]
    pub fn text(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn status(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 8, v)
    }
}

pub static INVALID: zap::Desc = zap::Desc {
    size: 8,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Invalid<'a>(pub zap::View<'a>);

impl<'a> Invalid<'a> {
    pub const SIZE: u32 = 8;
    #[inline]
    pub fn message(self) -> &'a [u8] {
        self.0.bytes(0)
    }
}

pub struct InvalidBuilder(pub u32);

impl InvalidBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> InvalidBuilder {
        InvalidBuilder(w.start(8))
    }
    #[inline]
    pub fn message(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
}

pub static MODEL_FAILED: zap::Desc = zap::Desc {
    size: 20,
    pointers: &[],
    tails: &[
        zap::Tail { at: 12, text: true },
    ],
    enums: &[
        zap::Enum { at: 8, max: 6 },
    ],
};

#[derive(Clone, Copy)]
pub struct ModelFailed<'a>(pub zap::View<'a>);

impl<'a> ModelFailed<'a> {
    pub const SIZE: u32 = 20;
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn code(self) -> u16 {
        self.0.u16(8)
    }
    #[inline]
    pub fn message(self) -> &'a [u8] {
        self.0.bytes(12)
    }
}

pub struct ModelFailedBuilder(pub u32);

impl ModelFailedBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ModelFailedBuilder {
        ModelFailedBuilder(w.start(20))
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn code(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 8, v)
    }
    #[inline]
    pub fn message(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 12, v)
    }
}

pub static RESULT: zap::Desc = zap::Desc {
    size: 76,
    pointers: &[
        zap::Pointer { at: 60, kind: zap::Kind::Pointers(&BLOB) },
    ],
    tails: &[
        zap::Tail { at: 20, text: false },
        zap::Tail { at: 28, text: false },
        zap::Tail { at: 68, text: true },
    ],
    enums: &[
        zap::Enum { at: 8, max: 5 },
    ],
};

#[derive(Clone, Copy)]
pub struct Result<'a>(pub zap::View<'a>);

impl<'a> Result<'a> {
    pub const SIZE: u32 = 76;
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn status(self) -> u16 {
        self.0.u16(8)
    }
    #[inline]
    pub fn has(self) -> u32 {
        self.0.u32(12)
    }
    #[inline]
    pub fn exit(self) -> i32 {
        self.0.u32(16) as i32
    }
    #[inline]
    pub fn stdout(self) -> &'a [u8] {
        self.0.bytes(20)
    }
    #[inline]
    pub fn stderr(self) -> &'a [u8] {
        self.0.bytes(28)
    }
    #[inline]
    pub fn stdout_bytes(self) -> u64 {
        self.0.u64(40)
    }
    #[inline]
    pub fn stderr_bytes(self) -> u64 {
        self.0.u64(48)
    }
    #[inline]
    pub fn truncated(self) -> bool {
        self.0.bool(56)
    }
    #[inline]
    pub fn artifacts(self) -> zap::List<'a> {
        self.0.list(60)
    }
    #[inline]
    pub fn artifacts_at(self, i: u32) -> Blob<'a> {
        Blob(self.0.list(60).pointer(i))
    }
    #[inline]
    pub fn message(self) -> &'a [u8] {
        self.0.bytes(68)
    }
}

pub struct ResultBuilder(pub u32);

impl ResultBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ResultBuilder {
        ResultBuilder(w.start(76))
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn status(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 8, v)
    }
    #[inline]
    pub fn has(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 12, v)
    }
    #[inline]
    pub fn exit(&self, w: &mut zap::Writer, v: i32) {
        w.put_u32(self.0 + 16, v as u32)
    }
    #[inline]
    pub fn stdout(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 20, v)
    }
    #[inline]
    pub fn stderr(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 28, v)
    }
    #[inline]
    pub fn stdout_bytes(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 40, v)
    }
    #[inline]
    pub fn stderr_bytes(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 48, v)
    }
    #[inline]
    pub fn truncated(&self, w: &mut zap::Writer, v: bool) {
        w.put_bool(self.0 + 56, v)
    }
    #[inline]
    pub fn artifacts(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 60, list, count)
    }
    #[inline]
    pub fn message(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 68, v)
    }
}

pub static ANSWER: zap::Desc = zap::Desc {
    size: 16,
    pointers: &[],
    tails: &[
        zap::Tail { at: 8, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Answer<'a>(pub zap::View<'a>);

impl<'a> Answer<'a> {
    pub const SIZE: u32 = 16;
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn text(self) -> &'a [u8] {
        self.0.bytes(8)
    }
}

pub struct AnswerBuilder(pub u32);

impl AnswerBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> AnswerBuilder {
        AnswerBuilder(w.start(16))
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn text(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
}

pub static CANCEL: zap::Desc = zap::Desc {
    size: 8,
    pointers: &[],
    tails: &[],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Cancel<'a>(pub zap::View<'a>);

impl<'a> Cancel<'a> {
    pub const SIZE: u32 = 8;
    #[inline]
    pub fn turn(self) -> u64 {
        self.0.u64(0)
    }
}

pub struct CancelBuilder(pub u32);

impl CancelBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> CancelBuilder {
        CancelBuilder(w.start(8))
    }
    #[inline]
    pub fn turn(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
}

pub static RESUME: zap::Desc = zap::Desc {
    size: 8,
    pointers: &[],
    tails: &[],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Resume<'a>(pub zap::View<'a>);

impl<'a> Resume<'a> {
    pub const SIZE: u32 = 8;
    #[inline]
    pub fn highest_action(self) -> u64 {
        self.0.u64(0)
    }
}

pub struct ResumeBuilder(pub u32);

impl ResumeBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ResumeBuilder {
        ResumeBuilder(w.start(8))
    }
    #[inline]
    pub fn highest_action(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
}

pub static ACTIONS: zap::Desc = zap::Desc {
    size: 8,
    pointers: &[
        zap::Pointer { at: 0, kind: zap::Kind::Pointers(&ACTION) },
    ],
    tails: &[],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Actions<'a>(pub zap::View<'a>);

impl<'a> Actions<'a> {
    pub const SIZE: u32 = 8;
    #[inline]
    pub fn items(self) -> zap::List<'a> {
        self.0.list(0)
    }
    #[inline]
    pub fn items_at(self, i: u32) -> Action<'a> {
        Action(self.0.list(0).pointer(i))
    }
}

pub struct ActionsBuilder(pub u32);

impl ActionsBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ActionsBuilder {
        ActionsBuilder(w.start(8))
    }
    #[inline]
    pub fn items(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 0, list, count)
    }
}

pub static ACTION: zap::Desc = zap::Desc {
    size: 72,
    pointers: &[
        zap::Pointer { at: 16, kind: zap::Kind::Object(&MODEL_ASK) },
        zap::Pointer { at: 20, kind: zap::Kind::Object(&READ) },
        zap::Pointer { at: 24, kind: zap::Kind::Object(&WRITE) },
        zap::Pointer { at: 28, kind: zap::Kind::Object(&PATCH) },
        zap::Pointer { at: 32, kind: zap::Kind::Object(&EXEC) },
        zap::Pointer { at: 36, kind: zap::Kind::Object(&GIT) },
        zap::Pointer { at: 40, kind: zap::Kind::Object(&BROWSE) },
        zap::Pointer { at: 44, kind: zap::Kind::Object(&ASK) },
        zap::Pointer { at: 48, kind: zap::Kind::Object(&SEND) },
        zap::Pointer { at: 52, kind: zap::Kind::Object(&EMIT) },
        zap::Pointer { at: 56, kind: zap::Kind::Object(&DONE) },
        zap::Pointer { at: 60, kind: zap::Kind::Object(&LIST) },
        zap::Pointer { at: 64, kind: zap::Kind::Object(&SEARCH) },
        zap::Pointer { at: 68, kind: zap::Kind::Object(&STAT) },
    ],
    tails: &[],
    enums: &[
        zap::Enum { at: 0, max: 15 },
    ],
};

#[derive(Clone, Copy)]
pub struct Action<'a>(pub zap::View<'a>);

impl<'a> Action<'a> {
    pub const SIZE: u32 = 72;
    #[inline]
    pub fn kind(self) -> u16 {
        self.0.u16(0)
    }
    #[inline]
    pub fn has(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(8)
    }
    pub const MODEL_AT: u32 = 16;
    #[inline]
    pub fn model(self) -> Option<ModelAsk<'a>> {
        self.0.child(16).map(ModelAsk)
    }
    pub const READ_AT: u32 = 20;
    #[inline]
    pub fn read(self) -> Option<Read<'a>> {
        self.0.child(20).map(Read)
    }
    pub const WRITE_AT: u32 = 24;
    #[inline]
    pub fn write(self) -> Option<Write<'a>> {
        self.0.child(24).map(Write)
    }
    pub const PATCH_AT: u32 = 28;
    #[inline]
    pub fn patch(self) -> Option<Patch<'a>> {
        self.0.child(28).map(Patch)
    }
    pub const EXEC_AT: u32 = 32;
    #[inline]
    pub fn exec(self) -> Option<Exec<'a>> {
        self.0.child(32).map(Exec)
    }
    pub const GIT_AT: u32 = 36;
    #[inline]
    pub fn git(self) -> Option<Git<'a>> {
        self.0.child(36).map(Git)
    }
    pub const BROWSE_AT: u32 = 40;
    #[inline]
    pub fn browse(self) -> Option<Browse<'a>> {
        self.0.child(40).map(Browse)
    }
    pub const ASK_AT: u32 = 44;
    #[inline]
    pub fn ask(self) -> Option<Ask<'a>> {
        self.0.child(44).map(Ask)
    }
    pub const SEND_AT: u32 = 48;
    #[inline]
    pub fn send(self) -> Option<Send<'a>> {
        self.0.child(48).map(Send)
    }
    pub const EMIT_AT: u32 = 52;
    #[inline]
    pub fn emit(self) -> Option<Emit<'a>> {
        self.0.child(52).map(Emit)
    }
    pub const DONE_AT: u32 = 56;
    #[inline]
    pub fn done(self) -> Option<Done<'a>> {
        self.0.child(56).map(Done)
    }
    pub const LIST_AT: u32 = 60;
    #[inline]
    pub fn list(self) -> Option<List<'a>> {
        self.0.child(60).map(List)
    }
    pub const SEARCH_AT: u32 = 64;
    #[inline]
    pub fn search(self) -> Option<Search<'a>> {
        self.0.child(64).map(Search)
    }
    pub const STAT_AT: u32 = 68;
    #[inline]
    pub fn stat(self) -> Option<Stat<'a>> {
        self.0.child(68).map(Stat)
    }
}

pub struct ActionBuilder(pub u32);

impl ActionBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ActionBuilder {
        ActionBuilder(w.start(72))
    }
    #[inline]
    pub fn kind(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 0, v)
    }
    #[inline]
    pub fn has(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
    #[inline]
    pub fn model(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 16, child)
    }
    #[inline]
    pub fn read(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 20, child)
    }
    #[inline]
    pub fn write(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 24, child)
    }
    #[inline]
    pub fn patch(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 28, child)
    }
    #[inline]
    pub fn exec(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 32, child)
    }
    #[inline]
    pub fn git(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 36, child)
    }
    #[inline]
    pub fn browse(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 40, child)
    }
    #[inline]
    pub fn ask(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 44, child)
    }
    #[inline]
    pub fn send(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 48, child)
    }
    #[inline]
    pub fn emit(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 52, child)
    }
    #[inline]
    pub fn done(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 56, child)
    }
    #[inline]
    pub fn list(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 60, child)
    }
    #[inline]
    pub fn search(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 64, child)
    }
    #[inline]
    pub fn stat(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 68, child)
    }
}

pub static MODEL_ASK: zap::Desc = zap::Desc {
    size: 44,
    pointers: &[
        zap::Pointer { at: 20, kind: zap::Kind::Pointers(&EDIT) },
        zap::Pointer { at: 28, kind: zap::Kind::Pointers(&TEXT) },
    ],
    tails: &[
        zap::Tail { at: 12, text: true },
    ],
    enums: &[
        zap::Enum { at: 8, max: 3 },
    ],
};

#[derive(Clone, Copy)]
pub struct ModelAsk<'a>(pub zap::View<'a>);

impl<'a> ModelAsk<'a> {
    pub const SIZE: u32 = 44;
    #[inline]
    pub fn context(self) -> u32 {
        self.0.u32(0)
    }
    #[inline]
    pub fn parent(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn purpose(self) -> u16 {
        self.0.u16(8)
    }
    #[inline]
    pub fn model(self) -> &'a [u8] {
        self.0.bytes(12)
    }
    #[inline]
    pub fn edits(self) -> zap::List<'a> {
        self.0.list(20)
    }
    #[inline]
    pub fn edits_at(self, i: u32) -> Edit<'a> {
        Edit(self.0.list(20).pointer(i))
    }
    #[inline]
    pub fn tools(self) -> zap::List<'a> {
        self.0.list(28)
    }
    #[inline]
    pub fn tools_at(self, i: u32) -> Text<'a> {
        Text(self.0.list(28).pointer(i))
    }
    #[inline]
    pub fn from(self) -> u32 {
        self.0.u32(36)
    }
    #[inline]
    pub fn count(self) -> u32 {
        self.0.u32(40)
    }
}

pub struct ModelAskBuilder(pub u32);

impl ModelAskBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ModelAskBuilder {
        ModelAskBuilder(w.start(44))
    }
    #[inline]
    pub fn context(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 0, v)
    }
    #[inline]
    pub fn parent(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn purpose(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 8, v)
    }
    #[inline]
    pub fn model(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 12, v)
    }
    #[inline]
    pub fn edits(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 20, list, count)
    }
    #[inline]
    pub fn tools(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 28, list, count)
    }
    #[inline]
    pub fn from(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 36, v)
    }
    #[inline]
    pub fn count(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 40, v)
    }
}

pub static EDIT: zap::Desc = zap::Desc {
    size: 48,
    pointers: &[
        zap::Pointer { at: 32, kind: zap::Kind::Numbers(8) },
    ],
    tails: &[
        zap::Tail { at: 16, text: true },
    ],
    enums: &[
        zap::Enum { at: 0, max: 2 },
        zap::Enum { at: 2, max: 4 },
    ],
};

#[derive(Clone, Copy)]
pub struct Edit<'a>(pub zap::View<'a>);

impl<'a> Edit<'a> {
    pub const SIZE: u32 = 48;
    #[inline]
    pub fn kind(self) -> u16 {
        self.0.u16(0)
    }
    #[inline]
    pub fn role(self) -> u16 {
        self.0.u16(2)
    }
    #[inline]
    pub fn entry(self) -> u64 {
        self.0.u64(8)
    }
    #[inline]
    pub fn body(self) -> &'a [u8] {
        self.0.bytes(16)
    }
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(24)
    }
    #[inline]
    pub fn ids(self) -> zap::List<'a> {
        self.0.list(32)
    }
    #[inline]
    pub fn from(self) -> u32 {
        self.0.u32(40)
    }
    #[inline]
    pub fn count(self) -> u32 {
        self.0.u32(44)
    }
}

pub struct EditBuilder(pub u32);

impl EditBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> EditBuilder {
        EditBuilder(w.start(48))
    }
    #[inline]
    pub fn kind(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 0, v)
    }
    #[inline]
    pub fn role(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 2, v)
    }
    #[inline]
    pub fn entry(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
    #[inline]
    pub fn body(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 16, v)
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 24, v)
    }
    #[inline]
    pub fn ids(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 32, list, count)
    }
    #[inline]
    pub fn from(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 40, v)
    }
    #[inline]
    pub fn count(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 44, v)
    }
}

pub static READ: zap::Desc = zap::Desc {
    size: 24,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Read<'a>(pub zap::View<'a>);

impl<'a> Read<'a> {
    pub const SIZE: u32 = 24;
    #[inline]
    pub fn path(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn offset(self) -> u64 {
        self.0.u64(8)
    }
    #[inline]
    pub fn length(self) -> u64 {
        self.0.u64(16)
    }
}

pub struct ReadBuilder(pub u32);

impl ReadBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ReadBuilder {
        ReadBuilder(w.start(24))
    }
    #[inline]
    pub fn path(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn offset(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
    #[inline]
    pub fn length(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 16, v)
    }
}

pub static WRITE: zap::Desc = zap::Desc {
    size: 60,
    pointers: &[
        zap::Pointer { at: 16, kind: zap::Kind::Object(&BLOB) },
    ],
    tails: &[
        zap::Tail { at: 0, text: true },
        zap::Tail { at: 8, text: false },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Write<'a>(pub zap::View<'a>);

impl<'a> Write<'a> {
    pub const SIZE: u32 = 60;
    #[inline]
    pub fn path(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn data(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    pub const BLOB_AT: u32 = 16;
    #[inline]
    pub fn blob(self) -> Option<Blob<'a>> {
        self.0.child(16).map(Blob)
    }
    #[inline]
    pub fn has(self) -> u32 {
        self.0.u32(20)
    }
    #[inline]
    pub fn mode(self) -> u32 {
        self.0.u32(24)
    }
    #[inline]
    pub fn expected(self) -> &'a [u8] {
        self.0.fixed(28, 32)
    }
}

pub struct WriteBuilder(pub u32);

impl WriteBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> WriteBuilder {
        WriteBuilder(w.start(60))
    }
    #[inline]
    pub fn path(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn data(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn blob(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 16, child)
    }
    #[inline]
    pub fn has(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 20, v)
    }
    #[inline]
    pub fn mode(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 24, v)
    }
    #[inline]
    pub fn expected(&self, w: &mut zap::Writer, v: &[u8; 32]) {
        w.put_fixed(self.0 + 28, v)
    }
}

pub static PATCH: zap::Desc = zap::Desc {
    size: 12,
    pointers: &[
        zap::Pointer { at: 8, kind: zap::Kind::Object(&BLOB) },
    ],
    tails: &[
        zap::Tail { at: 0, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Patch<'a>(pub zap::View<'a>);

impl<'a> Patch<'a> {
    pub const SIZE: u32 = 12;
    #[inline]
    pub fn patch(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    pub const BLOB_AT: u32 = 8;
    #[inline]
    pub fn blob(self) -> Option<Blob<'a>> {
        self.0.child(8).map(Blob)
    }
}

pub struct PatchBuilder(pub u32);

impl PatchBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> PatchBuilder {
        PatchBuilder(w.start(12))
    }
    #[inline]
    pub fn patch(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn blob(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 8, child)
    }
}

pub static EXEC: zap::Desc = zap::Desc {
    size: 41,
    pointers: &[
        zap::Pointer { at: 0, kind: zap::Kind::Pointers(&TEXT) },
        zap::Pointer { at: 24, kind: zap::Kind::Object(&BLOB) },
        zap::Pointer { at: 28, kind: zap::Kind::Pointers(&ENV_VAR) },
    ],
    tails: &[
        zap::Tail { at: 8, text: true },
        zap::Tail { at: 16, text: false },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Exec<'a>(pub zap::View<'a>);

impl<'a> Exec<'a> {
    pub const SIZE: u32 = 41;
    #[inline]
    pub fn argv(self) -> zap::List<'a> {
        self.0.list(0)
    }
    #[inline]
    pub fn argv_at(self, i: u32) -> Text<'a> {
        Text(self.0.list(0).pointer(i))
    }
    #[inline]
    pub fn cwd(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    #[inline]
    pub fn stdin(self) -> &'a [u8] {
        self.0.bytes(16)
    }
    pub const STDIN_BLOB_AT: u32 = 24;
    #[inline]
    pub fn stdin_blob(self) -> Option<Blob<'a>> {
        self.0.child(24).map(Blob)
    }
    #[inline]
    pub fn env(self) -> zap::List<'a> {
        self.0.list(28)
    }
    #[inline]
    pub fn env_at(self, i: u32) -> EnvVar<'a> {
        EnvVar(self.0.list(28).pointer(i))
    }
    #[inline]
    pub fn timeout_millis(self) -> u32 {
        self.0.u32(36)
    }
    #[inline]
    pub fn pty(self) -> bool {
        self.0.bool(40)
    }
}

pub struct ExecBuilder(pub u32);

impl ExecBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ExecBuilder {
        ExecBuilder(w.start(41))
    }
    #[inline]
    pub fn argv(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 0, list, count)
    }
    #[inline]
    pub fn cwd(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn stdin(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 16, v)
    }
    #[inline]
    pub fn stdin_blob(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 24, child)
    }
    #[inline]
    pub fn env(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 28, list, count)
    }
    #[inline]
    pub fn timeout_millis(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 36, v)
    }
    #[inline]
    pub fn pty(&self, w: &mut zap::Writer, v: bool) {
        w.put_bool(self.0 + 40, v)
    }
}

pub static ENV_VAR: zap::Desc = zap::Desc {
    size: 16,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
        zap::Tail { at: 8, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct EnvVar<'a>(pub zap::View<'a>);

impl<'a> EnvVar<'a> {
    pub const SIZE: u32 = 16;
    #[inline]
    pub fn name(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn value(self) -> &'a [u8] {
        self.0.bytes(8)
    }
}

pub struct EnvVarBuilder(pub u32);

impl EnvVarBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> EnvVarBuilder {
        EnvVarBuilder(w.start(16))
    }
    #[inline]
    pub fn name(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn value(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
}

pub static GIT: zap::Desc = zap::Desc {
    size: 16,
    pointers: &[
        zap::Pointer { at: 0, kind: zap::Kind::Pointers(&TEXT) },
    ],
    tails: &[
        zap::Tail { at: 8, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Git<'a>(pub zap::View<'a>);

impl<'a> Git<'a> {
    pub const SIZE: u32 = 16;
    #[inline]
    pub fn argv(self) -> zap::List<'a> {
        self.0.list(0)
    }
    #[inline]
    pub fn argv_at(self, i: u32) -> Text<'a> {
        Text(self.0.list(0).pointer(i))
    }
    #[inline]
    pub fn cwd(self) -> &'a [u8] {
        self.0.bytes(8)
    }
}

pub struct GitBuilder(pub u32);

impl GitBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> GitBuilder {
        GitBuilder(w.start(16))
    }
    #[inline]
    pub fn argv(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 0, list, count)
    }
    #[inline]
    pub fn cwd(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
}

pub static BROWSE: zap::Desc = zap::Desc {
    size: 44,
    pointers: &[
        zap::Pointer { at: 16, kind: zap::Kind::Pointers(&ENV_VAR) },
        zap::Pointer { at: 32, kind: zap::Kind::Object(&BLOB) },
    ],
    tails: &[
        zap::Tail { at: 0, text: true },
        zap::Tail { at: 8, text: true },
        zap::Tail { at: 24, text: false },
        zap::Tail { at: 36, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Browse<'a>(pub zap::View<'a>);

impl<'a> Browse<'a> {
    pub const SIZE: u32 = 44;
    #[inline]
    pub fn method(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn url(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    #[inline]
    pub fn headers(self) -> zap::List<'a> {
        self.0.list(16)
    }
    #[inline]
    pub fn headers_at(self, i: u32) -> EnvVar<'a> {
        EnvVar(self.0.list(16).pointer(i))
    }
    #[inline]
    pub fn body(self) -> &'a [u8] {
        self.0.bytes(24)
    }
    pub const BODY_BLOB_AT: u32 = 32;
    #[inline]
    pub fn body_blob(self) -> Option<Blob<'a>> {
        self.0.child(32).map(Blob)
    }
    #[inline]
    pub fn idempotency_key(self) -> &'a [u8] {
        self.0.bytes(36)
    }
}

pub struct BrowseBuilder(pub u32);

impl BrowseBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> BrowseBuilder {
        BrowseBuilder(w.start(44))
    }
    #[inline]
    pub fn method(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn url(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn headers(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 16, list, count)
    }
    #[inline]
    pub fn body(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 24, v)
    }
    #[inline]
    pub fn body_blob(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 32, child)
    }
    #[inline]
    pub fn idempotency_key(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 36, v)
    }
}

pub static ASK: zap::Desc = zap::Desc {
    size: 24,
    pointers: &[
        zap::Pointer { at: 8, kind: zap::Kind::Pointers(&TEXT) },
    ],
    tails: &[
        zap::Tail { at: 0, text: true },
        zap::Tail { at: 16, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Ask<'a>(pub zap::View<'a>);

impl<'a> Ask<'a> {
    pub const SIZE: u32 = 24;
    #[inline]
    pub fn question(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn choices(self) -> zap::List<'a> {
        self.0.list(8)
    }
    #[inline]
    pub fn choices_at(self, i: u32) -> Text<'a> {
        Text(self.0.list(8).pointer(i))
    }
    #[inline]
    pub fn schema(self) -> &'a [u8] {
        self.0.bytes(16)
    }
}

pub struct AskBuilder(pub u32);

impl AskBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> AskBuilder {
        AskBuilder(w.start(24))
    }
    #[inline]
    pub fn question(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn choices(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 8, list, count)
    }
    #[inline]
    pub fn schema(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 16, v)
    }
}

pub static SEND: zap::Desc = zap::Desc {
    size: 24,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
        zap::Tail { at: 8, text: true },
        zap::Tail { at: 16, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Send<'a>(pub zap::View<'a>);

impl<'a> Send<'a> {
    pub const SIZE: u32 = 24;
    #[inline]
    pub fn channel(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn reference(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    #[inline]
    pub fn text(self) -> &'a [u8] {
        self.0.bytes(16)
    }
}

pub struct SendBuilder(pub u32);

impl SendBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> SendBuilder {
        SendBuilder(w.start(24))
    }
    #[inline]
    pub fn channel(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn reference(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn text(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 16, v)
    }
}

pub static EMIT: zap::Desc = zap::Desc {
    size: 24,
    pointers: &[
        zap::Pointer { at: 16, kind: zap::Kind::Pointers(&PLAN_ITEM) },
    ],
    tails: &[
        zap::Tail { at: 8, text: true },
    ],
    enums: &[
        zap::Enum { at: 0, max: 4 },
    ],
};

#[derive(Clone, Copy)]
pub struct Emit<'a>(pub zap::View<'a>);

impl<'a> Emit<'a> {
    pub const SIZE: u32 = 24;
    #[inline]
    pub fn kind(self) -> u16 {
        self.0.u16(0)
    }
    #[inline]
    pub fn context(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn text(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    #[inline]
    pub fn items(self) -> zap::List<'a> {
        self.0.list(16)
    }
    #[inline]
    pub fn items_at(self, i: u32) -> PlanItem<'a> {
        PlanItem(self.0.list(16).pointer(i))
    }
}

pub struct EmitBuilder(pub u32);

impl EmitBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> EmitBuilder {
        EmitBuilder(w.start(24))
    }
    #[inline]
    pub fn kind(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 0, v)
    }
    #[inline]
    pub fn context(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn text(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn items(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 16, list, count)
    }
}

pub static DONE: zap::Desc = zap::Desc {
    size: 28,
    pointers: &[],
    tails: &[
        zap::Tail { at: 12, text: true },
        zap::Tail { at: 20, text: true },
    ],
    enums: &[
        zap::Enum { at: 8, max: 3 },
    ],
};

#[derive(Clone, Copy)]
pub struct Done<'a>(pub zap::View<'a>);

impl<'a> Done<'a> {
    pub const SIZE: u32 = 28;
    #[inline]
    pub fn turn(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn outcome(self) -> u16 {
        self.0.u16(8)
    }
    #[inline]
    pub fn code(self) -> &'a [u8] {
        self.0.bytes(12)
    }
    #[inline]
    pub fn message(self) -> &'a [u8] {
        self.0.bytes(20)
    }
}

pub struct DoneBuilder(pub u32);

impl DoneBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> DoneBuilder {
        DoneBuilder(w.start(28))
    }
    #[inline]
    pub fn turn(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn outcome(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 8, v)
    }
    #[inline]
    pub fn code(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 12, v)
    }
    #[inline]
    pub fn message(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 20, v)
    }
}

pub static LIST: zap::Desc = zap::Desc {
    size: 16,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct List<'a>(pub zap::View<'a>);

impl<'a> List<'a> {
    pub const SIZE: u32 = 16;
    #[inline]
    pub fn path(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn offset(self) -> u32 {
        self.0.u32(8)
    }
    #[inline]
    pub fn limit(self) -> u32 {
        self.0.u32(12)
    }
}

pub struct ListBuilder(pub u32);

impl ListBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> ListBuilder {
        ListBuilder(w.start(16))
    }
    #[inline]
    pub fn path(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn offset(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 8, v)
    }
    #[inline]
    pub fn limit(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 12, v)
    }
}

pub static SEARCH: zap::Desc = zap::Desc {
    size: 28,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
        zap::Tail { at: 8, text: true },
        zap::Tail { at: 16, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Search<'a>(pub zap::View<'a>);

impl<'a> Search<'a> {
    pub const SIZE: u32 = 28;
    #[inline]
    pub fn pattern(self) -> &'a [u8] {
        self.0.bytes(0)
    }
    #[inline]
    pub fn path(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    #[inline]
    pub fn glob(self) -> &'a [u8] {
        self.0.bytes(16)
    }
    #[inline]
    pub fn limit(self) -> u32 {
        self.0.u32(24)
    }
}

pub struct SearchBuilder(pub u32);

impl SearchBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> SearchBuilder {
        SearchBuilder(w.start(28))
    }
    #[inline]
    pub fn pattern(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
    #[inline]
    pub fn path(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn glob(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 16, v)
    }
    #[inline]
    pub fn limit(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 24, v)
    }
}

pub static STAT: zap::Desc = zap::Desc {
    size: 8,
    pointers: &[],
    tails: &[
        zap::Tail { at: 0, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct Stat<'a>(pub zap::View<'a>);

impl<'a> Stat<'a> {
    pub const SIZE: u32 = 8;
    #[inline]
    pub fn path(self) -> &'a [u8] {
        self.0.bytes(0)
    }
}

pub struct StatBuilder(pub u32);

impl StatBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> StatBuilder {
        StatBuilder(w.start(8))
    }
    #[inline]
    pub fn path(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 0, v)
    }
}

pub static STATE: zap::Desc = zap::Desc {
    size: 116,
    pointers: &[
        zap::Pointer { at: 88, kind: zap::Kind::Object(&LIMITS) },
        zap::Pointer { at: 92, kind: zap::Kind::Records(&STATE_QUEUED) },
        zap::Pointer { at: 100, kind: zap::Kind::Pointers(&STATE_CONTEXT) },
        zap::Pointer { at: 108, kind: zap::Kind::Pointers(&STATE_OUTSTANDING) },
    ],
    tails: &[
        zap::Tail { at: 72, text: true },
        zap::Tail { at: 80, text: false },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct State<'a>(pub zap::View<'a>);

impl<'a> State<'a> {
    pub const SIZE: u32 = 116;
    #[inline]
    pub fn next_context(self) -> u32 {
        self.0.u32(0)
    }
    #[inline]
    pub fn steps(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn next_id(self) -> u64 {
        self.0.u64(8)
    }
    #[inline]
    pub fn config_entry(self) -> u64 {
        self.0.u64(16)
    }
    #[inline]
    pub fn high(self) -> u64 {
        self.0.u64(24)
    }
    #[inline]
    pub fn turn(self) -> u64 {
        self.0.u64(32)
    }
    #[inline]
    pub fn turn_tokens(self) -> u64 {
        self.0.u64(40)
    }
    #[inline]
    pub fn transcript_bytes(self) -> u64 {
        self.0.u64(48)
    }
    #[inline]
    pub fn system_bytes(self) -> u32 {
        self.0.u32(56)
    }
    #[inline]
    pub fn dirty(self) -> bool {
        self.0.bool(60)
    }
    #[inline]
    pub fn system_digest(self) -> u64 {
        self.0.u64(64)
    }
    #[inline]
    pub fn model(self) -> &'a [u8] {
        self.0.bytes(72)
    }
    #[inline]
    pub fn tools(self) -> &'a [u8] {
        self.0.bytes(80)
    }
    pub const LIMITS_AT: u32 = 88;
    #[inline]
    pub fn limits(self) -> Option<Limits<'a>> {
        self.0.child(88).map(Limits)
    }
    #[inline]
    pub fn queue(self) -> zap::List<'a> {
        self.0.list(92)
    }
    #[inline]
    pub fn queue_at(self, i: u32) -> StateQueued<'a> {
        StateQueued(self.0.list(92).record(i, 28))
    }
    #[inline]
    pub fn contexts(self) -> zap::List<'a> {
        self.0.list(100)
    }
    #[inline]
    pub fn contexts_at(self, i: u32) -> StateContext<'a> {
        StateContext(self.0.list(100).pointer(i))
    }
    #[inline]
    pub fn outstanding(self) -> zap::List<'a> {
        self.0.list(108)
    }
    #[inline]
    pub fn outstanding_at(self, i: u32) -> StateOutstanding<'a> {
        StateOutstanding(self.0.list(108).pointer(i))
    }
}

pub struct StateBuilder(pub u32);

impl StateBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> StateBuilder {
        StateBuilder(w.start(116))
    }
    #[inline]
    pub fn next_context(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 0, v)
    }
    #[inline]
    pub fn steps(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn next_id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
    #[inline]
    pub fn config_entry(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 16, v)
    }
    #[inline]
    pub fn high(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 24, v)
    }
    #[inline]
    pub fn turn(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 32, v)
    }
    #[inline]
    pub fn turn_tokens(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 40, v)
    }
    #[inline]
    pub fn transcript_bytes(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 48, v)
    }
    #[inline]
    pub fn system_bytes(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 56, v)
    }
    #[inline]
    pub fn dirty(&self, w: &mut zap::Writer, v: bool) {
        w.put_bool(self.0 + 60, v)
    }
    #[inline]
    pub fn system_digest(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 64, v)
    }
    #[inline]
    pub fn model(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 72, v)
    }
    #[inline]
    pub fn tools(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 80, v)
    }
    #[inline]
    pub fn limits(&self, w: &mut zap::Writer, child: u32) {
        w.put_child(self.0 + 88, child)
    }
    #[inline]
    pub fn queue(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 92, list, count)
    }
    #[inline]
    pub fn contexts(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 100, list, count)
    }
    #[inline]
    pub fn outstanding(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 108, list, count)
    }
}

pub static STATE_QUEUED: zap::Desc = zap::Desc {
    size: 28,
    pointers: &[],
    tails: &[],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct StateQueued<'a>(pub zap::View<'a>);

impl<'a> StateQueued<'a> {
    pub const SIZE: u32 = 28;
    #[inline]
    pub fn turn(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn entry(self) -> u64 {
        self.0.u64(8)
    }
    #[inline]
    pub fn digest(self) -> u64 {
        self.0.u64(16)
    }
    #[inline]
    pub fn size_bytes(self) -> u32 {
        self.0.u32(24)
    }
}

pub struct StateQueuedBuilder(pub u32);

impl StateQueuedBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> StateQueuedBuilder {
        StateQueuedBuilder(w.start(28))
    }
    #[inline]
    pub fn turn(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn entry(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
    #[inline]
    pub fn digest(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 16, v)
    }
    #[inline]
    pub fn size_bytes(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 24, v)
    }
}

pub static STATE_CONTEXT: zap::Desc = zap::Desc {
    size: 112,
    pointers: &[
        zap::Pointer { at: 72, kind: zap::Kind::Records(&STATE_MESSAGE) },
        zap::Pointer { at: 80, kind: zap::Kind::Pointers(&STATE_UNSENT) },
        zap::Pointer { at: 88, kind: zap::Kind::Records(&STATE_FAILURE) },
    ],
    tails: &[
        zap::Tail { at: 64, text: false },
        zap::Tail { at: 104, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct StateContext<'a>(pub zap::View<'a>);

impl<'a> StateContext<'a> {
    pub const SIZE: u32 = 112;
    #[inline]
    pub fn id(self) -> u32 {
        self.0.u32(0)
    }
    #[inline]
    pub fn parent(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn call_id(self) -> u64 {
        self.0.u64(8)
    }
    #[inline]
    pub fn depth(self) -> u32 {
        self.0.u32(16)
    }
    #[inline]
    pub fn steps(self) -> u32 {
        self.0.u32(20)
    }
    #[inline]
    pub fn sent(self) -> u32 {
        self.0.u32(24)
    }
    #[inline]
    pub fn prompt(self) -> u32 {
        self.0.u32(28)
    }
    #[inline]
    pub fn size_bytes(self) -> u64 {
        self.0.u64(32)
    }
    #[inline]
    pub fn span_from(self) -> u32 {
        self.0.u32(40)
    }
    #[inline]
    pub fn span_count(self) -> u32 {
        self.0.u32(44)
    }
    #[inline]
    pub fn stalled(self) -> u32 {
        self.0.u32(48)
    }
    #[inline]
    pub fn overflows(self) -> u32 {
        self.0.u32(52)
    }
    #[inline]
    pub fn retries(self) -> u32 {
        self.0.u32(56)
    }
    #[inline]
    pub fn system_changed(self) -> bool {
        self.0.bool(60)
    }
    #[inline]
    pub fn restricted(self) -> bool {
        self.0.bool(61)
    }
    #[inline]
    pub fn tools(self) -> &'a [u8] {
        self.0.bytes(64)
    }
    #[inline]
    pub fn messages(self) -> zap::List<'a> {
        self.0.list(72)
    }
    #[inline]
    pub fn messages_at(self, i: u32) -> StateMessage<'a> {
        StateMessage(self.0.list(72).record(i, 24))
    }
    #[inline]
    pub fn unsent(self) -> zap::List<'a> {
        self.0.list(80)
    }
    #[inline]
    pub fn unsent_at(self, i: u32) -> StateUnsent<'a> {
        StateUnsent(self.0.list(80).pointer(i))
    }
    #[inline]
    pub fn failures(self) -> zap::List<'a> {
        self.0.list(88)
    }
    #[inline]
    pub fn failures_at(self, i: u32) -> StateFailure<'a> {
        StateFailure(self.0.list(88).record(i, 15))
    }
    #[inline]
    pub fn replace_from(self) -> u32 {
        self.0.u32(96)
    }
    #[inline]
    pub fn replace_count(self) -> u32 {
        self.0.u32(100)
    }
    #[inline]
    pub fn replace_body(self) -> &'a [u8] {
        self.0.bytes(104)
    }
}

pub struct StateContextBuilder(pub u32);

impl StateContextBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> StateContextBuilder {
        StateContextBuilder(w.start(112))
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 0, v)
    }
    #[inline]
    pub fn parent(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn call_id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
    #[inline]
    pub fn depth(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 16, v)
    }
    #[inline]
    pub fn steps(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 20, v)
    }
    #[inline]
    pub fn sent(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 24, v)
    }
    #[inline]
    pub fn prompt(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 28, v)
    }
    #[inline]
    pub fn size_bytes(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 32, v)
    }
    #[inline]
    pub fn span_from(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 40, v)
    }
    #[inline]
    pub fn span_count(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 44, v)
    }
    #[inline]
    pub fn stalled(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 48, v)
    }
    #[inline]
    pub fn overflows(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 52, v)
    }
    #[inline]
    pub fn retries(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 56, v)
    }
    #[inline]
    pub fn system_changed(&self, w: &mut zap::Writer, v: bool) {
        w.put_bool(self.0 + 60, v)
    }
    #[inline]
    pub fn restricted(&self, w: &mut zap::Writer, v: bool) {
        w.put_bool(self.0 + 61, v)
    }
    #[inline]
    pub fn tools(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 64, v)
    }
    #[inline]
    pub fn messages(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 72, list, count)
    }
    #[inline]
    pub fn unsent(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 80, list, count)
    }
    #[inline]
    pub fn failures(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 88, list, count)
    }
    #[inline]
    pub fn replace_from(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 96, v)
    }
    #[inline]
    pub fn replace_count(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 100, v)
    }
    #[inline]
    pub fn replace_body(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 104, v)
    }
}

pub static STATE_MESSAGE: zap::Desc = zap::Desc {
    size: 24,
    pointers: &[],
    tails: &[],
    enums: &[
        zap::Enum { at: 0, max: 4 },
    ],
};

#[derive(Clone, Copy)]
pub struct StateMessage<'a>(pub zap::View<'a>);

impl<'a> StateMessage<'a> {
    pub const SIZE: u32 = 24;
    #[inline]
    pub fn role(self) -> u16 {
        self.0.u16(0)
    }
    #[inline]
    pub fn calls(self) -> u16 {
        self.0.u16(2)
    }
    #[inline]
    pub fn size_bytes(self) -> u32 {
        self.0.u32(4)
    }
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(8)
    }
    #[inline]
    pub fn digest(self) -> u64 {
        self.0.u64(16)
    }
}

pub struct StateMessageBuilder(pub u32);

impl StateMessageBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> StateMessageBuilder {
        StateMessageBuilder(w.start(24))
    }
    #[inline]
    pub fn role(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 0, v)
    }
    #[inline]
    pub fn calls(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 2, v)
    }
    #[inline]
    pub fn size_bytes(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 4, v)
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 8, v)
    }
    #[inline]
    pub fn digest(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 16, v)
    }
}

pub static STATE_UNSENT: zap::Desc = zap::Desc {
    size: 24,
    pointers: &[
        zap::Pointer { at: 16, kind: zap::Kind::Numbers(8) },
    ],
    tails: &[
        zap::Tail { at: 8, text: true },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct StateUnsent<'a>(pub zap::View<'a>);

impl<'a> StateUnsent<'a> {
    pub const SIZE: u32 = 24;
    #[inline]
    pub fn entry(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn body(self) -> &'a [u8] {
        self.0.bytes(8)
    }
    #[inline]
    pub fn ids(self) -> zap::List<'a> {
        self.0.list(16)
    }
}

pub struct StateUnsentBuilder(pub u32);

impl StateUnsentBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> StateUnsentBuilder {
        StateUnsentBuilder(w.start(24))
    }
    #[inline]
    pub fn entry(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn body(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 8, v)
    }
    #[inline]
    pub fn ids(&self, w: &mut zap::Writer, list: u32, count: u32) {
        w.put_list(self.0 + 16, list, count)
    }
}

pub static STATE_FAILURE: zap::Desc = zap::Desc {
    size: 15,
    pointers: &[],
    tails: &[],
    enums: &[
        zap::Enum { at: 12, max: 14 },
    ],
};

#[derive(Clone, Copy)]
pub struct StateFailure<'a>(pub zap::View<'a>);

impl<'a> StateFailure<'a> {
    pub const SIZE: u32 = 15;
    #[inline]
    pub fn signature(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn count(self) -> u32 {
        self.0.u32(8)
    }
    #[inline]
    pub fn kind(self) -> u16 {
        self.0.u16(12)
    }
    #[inline]
    pub fn told(self) -> bool {
        self.0.bool(14)
    }
}

pub struct StateFailureBuilder(pub u32);

impl StateFailureBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> StateFailureBuilder {
        StateFailureBuilder(w.start(15))
    }
    #[inline]
    pub fn signature(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn count(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 8, v)
    }
    #[inline]
    pub fn kind(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 12, v)
    }
    #[inline]
    pub fn told(&self, w: &mut zap::Writer, v: bool) {
        w.put_bool(self.0 + 14, v)
    }
}

pub static STATE_OUTSTANDING: zap::Desc = zap::Desc {
    size: 32,
    pointers: &[],
    tails: &[
        zap::Tail { at: 24, text: false },
    ],
    enums: &[],
};

#[derive(Clone, Copy)]
pub struct StateOutstanding<'a>(pub zap::View<'a>);

impl<'a> StateOutstanding<'a> {
    pub const SIZE: u32 = 32;
    #[inline]
    pub fn id(self) -> u64 {
        self.0.u64(0)
    }
    #[inline]
    pub fn context(self) -> u32 {
        self.0.u32(8)
    }
    #[inline]
    pub fn kind(self) -> u16 {
        self.0.u16(12)
    }
    #[inline]
    pub fn purpose(self) -> u16 {
        self.0.u16(14)
    }
    #[inline]
    pub fn signature(self) -> u64 {
        self.0.u64(16)
    }
    #[inline]
    pub fn action(self) -> &'a [u8] {
        self.0.bytes(24)
    }
}

pub struct StateOutstandingBuilder(pub u32);

impl StateOutstandingBuilder {
    #[inline]
    pub fn start(w: &mut zap::Writer) -> StateOutstandingBuilder {
        StateOutstandingBuilder(w.start(32))
    }
    #[inline]
    pub fn id(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 0, v)
    }
    #[inline]
    pub fn context(&self, w: &mut zap::Writer, v: u32) {
        w.put_u32(self.0 + 8, v)
    }
    #[inline]
    pub fn kind(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 12, v)
    }
    #[inline]
    pub fn purpose(&self, w: &mut zap::Writer, v: u16) {
        w.put_u16(self.0 + 14, v)
    }
    #[inline]
    pub fn signature(&self, w: &mut zap::Writer, v: u64) {
        w.put_u64(self.0 + 16, v)
    }
    #[inline]
    pub fn action(&self, w: &mut zap::Writer, v: &[u8]) {
        w.put_bytes(self.0 + 24, v)
    }
}
