;; A module with the exports of a core that does what the first byte of an event says. wat2wasm of wabt
;; turned it into misbehave.wasm beside it.
;;   L loop for ever   T trap   R recurse for ever   O read outside   B answer bytes outside
;;   N answer a negative length   M grow as far as it goes and answer the pages   else: echo
(module
  (memory (export "memory") 1 1024)
  ;; At address 0 lies how much was handed out; what is handed out begins at 4096.
  (func (export "dev_abi") (result i32) i32.const 2)
  (func $new (param $ptr i32) (param $len i32) (param $out i32) (result i32)
    local.get $out
    i64.const 0x100000000
    i64.store
    i32.const 0)
  (export "dev_new" (func $new))
  (export "dev_restore" (func $new))
  (func $recurse (param $n i32) (result i32)
    local.get $n
    i32.const 1
    i32.add
    call $recurse
    i32.const 1
    i32.add)
  (func (export "dev_step") (param $handle i64) (param $ptr i32) (param $len i32) (param $out i32)
    (result i32)
    (local $what i32)
    (local.set $what (i32.load8_u (local.get $ptr)))
    (i32.store (local.get $out) (local.get $ptr))
    (i32.store offset=4 (local.get $out) (local.get $len))
    (if (i32.eq (local.get $what) (i32.const 76)) (then (loop $again (br $again))))
    (if (i32.eq (local.get $what) (i32.const 84)) (then (unreachable)))
    (if (i32.eq (local.get $what) (i32.const 82))
      (then (drop (call $recurse (i32.const 0)))))
    (if (i32.eq (local.get $what) (i32.const 79))
      (then (drop (i32.load (i32.const 0x7ffffff0)))))
    (if (i32.eq (local.get $what) (i32.const 66))
      (then (i32.store (local.get $out) (i32.const 0x7ffffff0))))
    (if (i32.eq (local.get $what) (i32.const 78))
      (then (i32.store offset=4 (local.get $out) (i32.const -1))))
    (if (i32.eq (local.get $what) (i32.const 77))
      (then
        (loop $more
          (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
        (i32.store8 (local.get $ptr) (memory.size))))
    i32.const 0)
  (func (export "dev_snapshot") (param $handle i64) (param $out i32) (result i32)
    (i32.store (local.get $out) (i32.const 4096))
    (i32.store offset=4 (local.get $out) (i32.const 1))
    i32.const 0)
  (func (export "dev_drop") (param i64))
  (func (export "dev_free") (param i32))
  (func (export "dev_alloc") (param $len i32) (result i32)
    (local $at i32)
    (local.set $at (i32.load (i32.const 0)))
    (i32.store
      (i32.const 0)
      (i32.and
        (i32.add (local.get $at) (i32.and (i32.add (local.get $len) (i32.const 15)) (i32.const -8)))
        (i32.const 0x7fff)))
    (i32.add (local.get $at) (i32.const 4096)))
  (func (export "dev_release") (param i32) (param i32)))
