//! Building the list of actions of one step.

use crate::dev_zap::*;
use crate::state::{Context, Session, ToolNames};
use crate::zap::{Positions, View, Writer, HEADER};
use alloc::vec::Vec;

/// The names of tools as a finished list of texts. Pointers are relative, so it can be put at any
/// place that is a multiple of 8.
pub struct Block {
    bytes: Vec<u8>,
    list: u32,
    count: u32,
}

impl Block {
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    #[inline(never)]
    pub fn of(tools: &[u8]) -> Block {
        let mut w = Writer { buffer: Vec::with_capacity(tools.len() * 4) };
        let mut names = Positions::new();
        for (_, name) in ToolNames(tools) {
            let text = TextBuilder::start(&mut w);
            text.value(&mut w, name);
            names.push(text.0);
        }
        let list = w.pointers(names.all());
        Block { bytes: w.buffer, list, count: names.count() }
    }
}

pub struct Out {
    pub w: Writer,
    actions: Positions,
}

impl Out {
    pub fn new(capacity: usize) -> Out {
        Out { w: Writer::with_capacity(capacity), actions: Positions::new() }
    }

    /// The whole message.
    pub fn finish(mut self) -> Vec<u8> {
        let list = self.w.pointers(self.actions.all());
        let root = ActionsBuilder::start(&mut self.w);
        root.items(&mut self.w, list, self.actions.count());
        self.w.finish(root.0);
        self.w.buffer
    }

    #[inline]
    fn start(&mut self, kind: u16, id: u64) -> ActionBuilder {
        let action = ActionBuilder::start(&mut self.w);
        action.kind(&mut self.w, kind);
        action.id(&mut self.w, id);
        self.actions.push(action.0);
        action
    }

    /// What was written since `from`, as a message of its own with the action as root.
    fn keep(&self, from: u32, action: &ActionBuilder) -> Vec<u8> {
        let region = &self.w.buffer[from as usize..];
        let mut kept = Writer::with_capacity(HEADER + region.len());
        kept.buffer.extend_from_slice(region);
        kept.finish(HEADER as u32 + action.0 - from);
        kept.buffer
    }

    /// Puts a kept action out again, byte for byte.
    pub fn again(&mut self, kept: &[u8]) {
        let at = self.w.align8();
        self.w.buffer.extend_from_slice(&kept[HEADER..]);
        let root = u32::from_le_bytes([kept[8], kept[9], kept[10], kept[11]]);
        self.actions.push(at + root - HEADER as u32);
    }

    pub fn save(&mut self, id: u64) {
        self.start(action_kind::SAVE, id);
    }

    #[inline(never)]
    pub fn done(&mut self, id: u64, turn: u64, outcome: u16, code: &[u8], message: &[u8]) {
        let done = DoneBuilder::start(&mut self.w);
        done.turn(&mut self.w, turn);
        done.outcome(&mut self.w, outcome);
        done.code(&mut self.w, code);
        done.message(&mut self.w, message);
        let action = self.start(action_kind::DONE, id);
        action.done(&mut self.w, done.0);
    }

    #[inline(never)]
    pub fn say(&mut self, id: u64, context: u32, text: &[u8]) {
        let emit = EmitBuilder::start(&mut self.w);
        emit.kind(&mut self.w, emit_kind::SAY);
        emit.context(&mut self.w, context);
        emit.text(&mut self.w, text);
        let action = self.start(action_kind::EMIT, id);
        action.emit(&mut self.w, emit.0);
    }

    #[inline(never)]
    pub fn plan(&mut self, id: u64, context: u32, plan: Plan) {
        let items = plan.items();
        let list = self.w.copy_pointers(&PLAN_ITEM, items);
        let emit = EmitBuilder::start(&mut self.w);
        emit.kind(&mut self.w, emit_kind::PLAN);
        emit.context(&mut self.w, context);
        emit.items(&mut self.w, list, items.count);
        let action = self.start(action_kind::EMIT, id);
        action.emit(&mut self.w, emit.0);
    }

    /// Passes a call on as it came. Answers the signature of its arguments and the kept action.
    #[inline(never)]
    pub fn call(&mut self, id: u64, call: &Route, args: View) -> (u64, Vec<u8>) {
        let from = self.w.align8();
        let op = self.w.copy(call.desc, args);
        let signature = crate::hash::hash(call.kind as u64, &self.w.buffer[from as usize..]);
        let action = self.start(call.action, id);
        self.w.put_child(action.0 + call.slot, op);
        (signature, self.keep(from, &action))
    }

    /// An ask of the model with all that the host has not been told.
    #[inline(never)]
    pub fn ask(&mut self, id: u64, session: &Session, context: &Context, purpose: u16) -> Vec<u8> {
        let from = self.w.align8();
        let mut edits = Positions::new();
        self.replacements(session, context, &mut edits);
        for (i, unsent) in context.unsent.iter().enumerate() {
            let message = &context.messages[context.sent as usize + i];
            let ids = self.w.numbers(&unsent.ids);
            let edit = EditBuilder::start(&mut self.w);
            edit.kind(&mut self.w, edit_kind::APPEND);
            edit.role(&mut self.w, message.role);
            edit.entry(&mut self.w, unsent.entry);
            edit.id(&mut self.w, message.id);
            edit.ids(&mut self.w, ids, unsent.ids.len() as u32);
            edit.body(&mut self.w, &unsent.body);
            edits.push(edit.0);
        }
        let list = self.w.pointers(edits.all());
        let compact = purpose == purpose::COMPACT;
        let (tools, count) = if compact { (0, 0) } else { self.tools(session, context) };
        let ask = ModelAskBuilder::start(&mut self.w);
        ask.context(&mut self.w, context.id);
        ask.parent(&mut self.w, context.parent);
        ask.purpose(&mut self.w, purpose);
        ask.edits(&mut self.w, list, edits.count());
        ask.tools(&mut self.w, tools, count);
        if compact {
            ask.from(&mut self.w, context.span_from);
            ask.count(&mut self.w, context.span_count);
        }
        ask.model(&mut self.w, &session.model);
        let action = self.start(action_kind::MODEL, id);
        action.model(&mut self.w, ask.0);
        self.keep(from, &action)
    }

    fn replacements(&mut self, session: &Session, context: &Context, edits: &mut Positions) {
        if context.system_changed {
            let edit = EditBuilder::start(&mut self.w);
            edit.kind(&mut self.w, edit_kind::REPLACE);
            edit.role(&mut self.w, role::SYSTEM);
            edit.entry(&mut self.w, session.config_entry);
            edit.count(&mut self.w, 1);
            edits.push(edit.0);
        }
        if let Some(replaced) = &context.replaced {
            let edit = EditBuilder::start(&mut self.w);
            edit.kind(&mut self.w, edit_kind::REPLACE);
            edit.role(&mut self.w, role::USER);
            edit.from(&mut self.w, replaced.from);
            edit.count(&mut self.w, replaced.count);
            edit.body(&mut self.w, &replaced.body);
            edits.push(edit.0);
        }
    }

    fn tools(&mut self, session: &Session, context: &Context) -> (u32, u32) {
        match &context.tools {
            None => self.block(&session.block),
            Some(packed) => self.block(&Block::of(packed)),
        }
    }

    fn block(&mut self, block: &Block) -> (u32, u32) {
        if block.count == 0 {
            return (0, 0);
        }
        let at = self.w.align8();
        self.w.buffer.extend_from_slice(&block.bytes);
        (at + block.list, block.count)
    }
}

/// How a call of one kind becomes an action.
pub struct Route {
    pub kind: u16,
    pub action: u16,
    /// The slot of the operation in Action.
    pub slot: u32,
    pub desc: &'static crate::zap::Desc,
    /// The event that answers it.
    pub answer: u16,
}

macro_rules! route {
    ($kind:ident, $slot:ident, $answer:ident) => {
        Route {
            kind: tool_kind::$kind,
            action: action_kind::$kind,
            slot: Action::$slot,
            desc: &$kind,
            answer: event_kind::$answer,
        }
    };
}

static ROUTES: [Route; 11] = [
    route!(READ, READ_AT, FILE),
    route!(WRITE, WRITE_AT, FILE),
    route!(PATCH, PATCH_AT, FILE),
    route!(EXEC, EXEC_AT, EXEC),
    route!(GIT, GIT_AT, GIT),
    route!(BROWSE, BROWSE_AT, BROWSE),
    route!(ASK, ASK_AT, ANSWER),
    route!(SEND, SEND_AT, BROWSE),
    route!(LIST, LIST_AT, FILE),
    route!(SEARCH, SEARCH_AT, FILE),
    route!(STAT, STAT_AT, FILE),
];

/// None for agent, plan and invalid, which never leave the core.
pub fn route(kind: u16) -> Option<&'static Route> {
    ROUTES.iter().find(|r| r.kind == kind)
}
