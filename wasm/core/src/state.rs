//! The state of one session and the plain operations on it. Policy is in the other modules.

use crate::dev_zap::{role, tool_kind, Config, Limits as LimitsView};
use crate::hash::hash;
use crate::output::Block;
use crate::zap::{Refusal, Why};
use alloc::vec::Vec;

/// Ids of actions and turns are below this.
pub const MAX_ID: u64 = i64::MAX as u64;
/// What a message costs beside its text, in bytes: four tokens.
pub const MESSAGE_OVERHEAD: u64 = 16;
/// An event that is longer is never taken, whatever the Config says.
pub const MAX_MESSAGE_BYTES: u32 = 8 << 20;
/// The actions that are kept until they are answered, all together.
pub const MAX_OUTSTANDING_BYTES: usize = 12 << 20;
/// Failing calls that are remembered in one turn of one context.
const MAX_FAILURES: usize = 16;
const MAX_TOOLS: u32 = 256;
const MAX_TOOL_NAME: usize = 128;
const CONFIG_VERSION: u32 = 1;

/// The Config's limits with the defaults filled in.
#[derive(Clone, Copy)]
pub struct Limits {
    pub queued_turns: u32,
    pub steps_per_turn: u32,
    pub depth: u32,
    pub agent_steps: u32,
    pub message_bytes: u32,
    pub context_tokens: u32,
    pub transcript_bytes: u64,
    pub turn_tokens: u64,
    pub same_failures: u32,
    pub calls_per_reply: u32,
}

fn or(value: u32, default: u32, max: u32) -> u32 {
    if value == 0 {
        default
    } else {
        value.min(max)
    }
}

impl Limits {
    pub fn of(view: Option<LimitsView>) -> Limits {
        let v = match view {
            Some(v) => v,
            None => return Limits::defaults(),
        };
        let d = Limits::defaults();
        Limits {
            queued_turns: or(v.queued_turns(), d.queued_turns, 4096),
            steps_per_turn: or(v.steps_per_turn(), d.steps_per_turn, u32::MAX),
            depth: or(v.depth(), d.depth, 16),
            agent_steps: or(v.agent_steps(), d.agent_steps, u32::MAX),
            message_bytes: or(v.message_bytes(), d.message_bytes, MAX_MESSAGE_BYTES),
            context_tokens: or(v.context_tokens(), d.context_tokens, 1 << 28),
            transcript_bytes: if v.transcript_bytes() == 0 {
                d.transcript_bytes
            } else {
                v.transcript_bytes()
            },
            turn_tokens: if v.turn_tokens() == 0 { d.turn_tokens } else { v.turn_tokens() },
            same_failures: or(v.same_failures(), d.same_failures, u32::MAX - 1),
            calls_per_reply: or(v.calls_per_reply(), d.calls_per_reply, 1024),
        }
    }

    fn defaults() -> Limits {
        Limits {
            queued_turns: 16,
            steps_per_turn: 200,
            depth: 3,
            agent_steps: 50,
            message_bytes: MAX_MESSAGE_BYTES,
            context_tokens: 100_000,
            transcript_bytes: 256 << 20,
            turn_tokens: 4_000_000,
            same_failures: 3,
            calls_per_reply: 64,
        }
    }
}

/// A message of a transcript. The layout is that of StateMessage in the schema.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Message {
    pub role: u16,
    /// Of an assistant message.
    pub calls: u16,
    pub size: u32,
    /// tool: the call it answers; assistant: its ask; user: the ask of the summary that it is, or 0.
    pub id: u64,
    pub digest: u64,
}

impl Message {
    pub fn cost(&self) -> u64 {
        self.size as u64 + MESSAGE_OVERHEAD
    }

    pub fn is_summary(&self) -> bool {
        self.role == role::USER && self.id != 0
    }
}

/// What the host must be told of a message that it does not have yet.
pub struct Unsent {
    /// The journal entry of the text; 0: the text is in `body`.
    pub entry: u64,
    pub body: Vec<u8>,
    /// Of an assistant message: the ids of its calls.
    pub ids: Vec<u64>,
}

/// A call that failed, and how often.
#[derive(Clone, Copy)]
pub struct Failure {
    pub signature: u64,
    pub count: u32,
    pub kind: u16,
    pub told: bool,
}

/// A summary that stands in the place of messages since the last ask.
pub struct Replaced {
    pub from: u32,
    pub count: u32,
    pub body: Vec<u8>,
}

/// A conversation: the session's own (id 0) or that of a nested agent.
pub struct Context {
    pub id: u32,
    pub parent: u32,
    pub call_id: u64,
    pub depth: u32,
    pub steps: u32,
    pub sent: u32,
    pub prompt: u32,
    /// What all messages cost.
    pub size: u64,
    pub span_from: u32,
    pub span_count: u32,
    pub stalled: u32,
    pub overflows: u32,
    pub retries: u32,
    pub system_changed: bool,
    /// Packed tools when the agent may use less than the Config's.
    pub tools: Option<Vec<u8>>,
    pub messages: Vec<Message>,
    pub unsent: Vec<Unsent>,
    pub failures: Vec<Failure>,
    pub replaced: Option<Replaced>,
}

impl Context {
    pub fn new(id: u32, parent: u32, call_id: u64, depth: u32) -> Context {
        Context {
            id,
            parent,
            call_id,
            depth,
            steps: 0,
            sent: 0,
            prompt: 0,
            size: 0,
            span_from: 0,
            span_count: 0,
            stalled: 0,
            overflows: 0,
            retries: 0,
            system_changed: false,
            tools: None,
            messages: Vec::new(),
            unsent: Vec::new(),
            failures: Vec::new(),
            replaced: None,
        }
    }

    pub fn tokens(&self) -> u64 {
        self.size / 4
    }

    /// The bytes of what the next ask says that no journal entry holds.
    pub fn unsaid(&self) -> usize {
        let replaced = self.replaced.as_ref().map_or(0, |r| r.body.len());
        replaced + self.unsent.iter().map(|u| u.body.len()).sum::<usize>()
    }

    /// Counts a failure; answers whether the call has failed too often, although the model was told.
    pub fn fail(&mut self, signature: u64, kind: u16, limit: u32) -> bool {
        for f in self.failures.iter_mut() {
            if f.signature == signature {
                f.count += 1;
                return f.told && f.count > limit;
            }
        }
        if self.failures.len() == MAX_FAILURES {
            self.failures.remove(0);
        }
        self.failures.push(Failure { signature, count: 1, kind, told: false });
        false
    }

    pub fn succeed(&mut self, signature: u64) {
        if let Some(i) = self.failures.iter().position(|f| f.signature == signature) {
            self.failures.remove(i);
        }
    }
}

/// A turn that waits for the one in flight.
#[derive(Clone, Copy)]
pub struct Queued {
    pub turn: u64,
    pub entry: u64,
    pub digest: u64,
    pub size: u32,
}

/// Something that was asked of the host, or of a nested agent, and is not answered.
pub struct Outstanding {
    pub id: u64,
    pub context: u32,
    /// Of the call; 0 for an ask of the model.
    pub kind: u16,
    /// Of an ask of the model.
    pub purpose: u16,
    pub signature: u64,
    /// The message of the action, for Resume; empty for a nested agent.
    pub action: Vec<u8>,
}

pub struct Session {
    pub limits: Limits,
    pub model: Vec<u8>,
    /// {kind u16, length u16, name}*
    pub tools: Vec<u8>,
    /// The tools as they stand in an ask.
    pub block: Block,
    pub config_entry: u64,
    pub system_size: u32,
    pub system_digest: u64,
    pub next_id: u64,
    pub next_context: u32,
    pub high: u64,
    /// In flight; 0 = idle.
    pub turn: u64,
    pub steps: u32,
    pub turn_tokens: u64,
    pub transcript_bytes: u64,
    pub dirty: bool,
    pub queue: Vec<Queued>,
    pub contexts: Vec<Context>,
    pub outstanding: Vec<Outstanding>,
    /// The context whose calls are being handed out in this step. Not part of the snapshot.
    pub handing_out: Option<u32>,
}

/// What a Config says, checked.
pub struct Settings {
    limits: Limits,
    model: Vec<u8>,
    tools: Vec<u8>,
    system_size: u32,
    system_digest: u64,
}

impl Settings {
    #[inline(never)]
    pub fn of(config: Config) -> Result<Settings, Refusal> {
        if config.format_version() != CONFIG_VERSION {
            return Err(&Why("a Config of another format version"));
        }
        let list = config.tools();
        if list.count > MAX_TOOLS {
            return Err(&Why("too many tools"));
        }
        let mut size = config.prelude().len() + config.instructions().len();
        let mut digest = hash(hash(0, config.prelude()), config.instructions());
        let mut tools = Vec::with_capacity(list.count as usize * 12);
        for i in 0..list.count {
            let tool = config.tools_at(i);
            let name = tool.name();
            if name.is_empty() || name.len() > MAX_TOOL_NAME {
                return Err(&Why("a tool without a name, or with one over 128 bytes"));
            }
            if tool.kind() == tool_kind::INVALID || find_tool(&tools, name) != 0 {
                return Err(&Why("a tool that is there twice, or is none"));
            }
            pack_tool(&mut tools, tool.kind(), name);
            size += name.len() + tool.description().len() + tool.schema().len();
            digest = hash(hash(digest, tool.description()), tool.schema());
        }
        digest = hash(digest, &tools);
        Ok(Settings {
            limits: Limits::of(config.limits()),
            model: config.model().to_vec(),
            tools,
            system_size: size as u32,
            system_digest: digest,
        })
    }
}

impl Session {
    pub fn open(config: Config) -> Result<Session, Refusal> {
        let settings = Settings::of(config)?;
        let mut session = Session {
            limits: settings.limits,
            model: settings.model,
            block: Block::of(&settings.tools),
            tools: settings.tools,
            config_entry: 1,
            system_size: settings.system_size,
            system_digest: settings.system_digest,
            next_id: 1,
            next_context: 1,
            high: 0,
            turn: 0,
            steps: 0,
            turn_tokens: 0,
            transcript_bytes: 0,
            dirty: false,
            queue: Vec::new(),
            contexts: Vec::with_capacity(1),
            outstanding: Vec::new(),
            handing_out: None,
        };
        session.new_context(Context::new(0, 0, 0, 0));
        Ok(session)
    }

    /// Adds a context that begins with the system message.
    pub fn new_context(&mut self, context: Context) {
        let id = context.id;
        self.contexts.push(context);
        let system = Message {
            role: role::SYSTEM,
            calls: 0,
            size: self.system_size,
            id: 0,
            digest: self.system_digest,
        };
        self.append(id, system, self.config_entry, Vec::new());
    }

    /// Takes over a changed Config. The host has the old system message where it was sent.
    pub fn configure(&mut self, settings: Settings, entry: u64) {
        self.limits = settings.limits;
        self.model = settings.model;
        self.block = Block::of(&settings.tools);
        self.tools = settings.tools;
        self.config_entry = entry;
        self.system_size = settings.system_size;
        self.system_digest = settings.system_digest;
        for c in self.contexts.iter_mut() {
            c.size = c.size - c.messages[0].size as u64 + settings.system_size as u64;
            c.messages[0].size = settings.system_size;
            c.messages[0].digest = settings.system_digest;
            if let Some(own) = &c.tools {
                c.tools = Some(still_there(own, &self.tools));
            }
            if c.sent > 0 {
                c.system_changed = true;
            } else {
                c.unsent[0].entry = entry;
            }
        }
    }

    #[inline]
    pub fn mint(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// The place of a context; contexts that are referred to exist.
    #[inline]
    pub fn at(&self, id: u32) -> usize {
        let mut i = 0;
        while self.contexts[i].id != id {
            i += 1;
        }
        i
    }

    #[inline]
    pub fn context(&mut self, id: u32) -> &mut Context {
        let i = self.at(id);
        &mut self.contexts[i]
    }

    #[inline(never)]
    pub fn append(&mut self, context: u32, message: Message, entry: u64, body: Vec<u8>) {
        self.transcript_bytes += message.size as u64;
        let c = self.context(context);
        c.size += message.cost();
        c.messages.push(message);
        c.unsent.push(Unsent { entry, body, ids: Vec::new() });
    }

    /// A message that the core writes itself.
    pub fn append_own(&mut self, context: u32, role: u16, id: u64, body: Vec<u8>) {
        let message =
            Message { role, calls: 0, size: body.len() as u32, id, digest: hash(0, &body) };
        self.append(context, message, 0, body);
    }

    /// The bytes of all actions that are kept for Resume.
    pub fn kept(&self) -> usize {
        self.outstanding.iter().map(|o| o.action.len()).sum()
    }

    /// Whether every call of a context is answered.
    pub fn is_settled(&self, context: u32) -> bool {
        !self.outstanding.iter().any(|o| o.context == context)
    }

    /// The place of an outstanding action of one kind.
    #[inline]
    pub fn find(&self, id: u64) -> Option<usize> {
        self.outstanding.iter().position(|o| o.id == id)
    }
}

pub fn pack_tool(tools: &mut Vec<u8>, kind: u16, name: &[u8]) {
    tools.extend_from_slice(&kind.to_le_bytes());
    tools.extend_from_slice(&(name.len() as u16).to_le_bytes());
    tools.extend_from_slice(name);
}

/// The tools of a packed list: kind and name.
pub struct ToolNames<'a>(pub &'a [u8]);

impl<'a> Iterator for ToolNames<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<(u16, &'a [u8])> {
        if self.0.len() < 4 {
            return None;
        }
        let kind = u16::from_le_bytes([self.0[0], self.0[1]]);
        let len = u16::from_le_bytes([self.0[2], self.0[3]]) as usize;
        if self.0.len() < 4 + len {
            return None;
        }
        let name = &self.0[4..4 + len];
        self.0 = &self.0[4 + len..];
        Some((kind, name))
    }
}

/// Those of a packed list that another still has.
#[inline(never)]
fn still_there(tools: &[u8], others: &[u8]) -> Vec<u8> {
    let mut left = Vec::new();
    for (kind, name) in ToolNames(tools) {
        if find_tool(others, name) == kind {
            pack_tool(&mut left, kind, name);
        }
    }
    left
}

/// The kind of the tool of that name; 0 when there is none.
pub fn find_tool(tools: &[u8], name: &[u8]) -> u16 {
    for (kind, n) in ToolNames(tools) {
        if n == name {
            return kind;
        }
    }
    0
}

pub fn has_kind(tools: &[u8], wanted: u16) -> bool {
    ToolNames(tools).any(|(kind, _)| kind == wanted)
}
