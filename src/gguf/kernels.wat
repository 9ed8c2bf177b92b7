;; Weights and their quantization. What each function does is specified, in a few lines of
;; TypeScript, in test/gguf/reference-kernels.ts, and tested to be equal bit for bit.
;; Assembled into kernels.generated.ts by scripts/assemble-kernels.ts.
(module
  (import "rooflaw" "memory" (memory 1 65536 shared))

  ;; Table entries of two bytes, chosen by the 16-bit halves of what four interleaved xoshiro128++
  ;; generators give. $state: 64 bytes, word w of generator g at 16 w + 4 g; left advanced.
  ;; $count: entries, a multiple of 8.
  (func (export "fillF16")
    (param $state i32) (param $table i32) (param $destination i32) (param $count i32)
    (local $end i32) (local $low i64) (local $high i64)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $sum v128) (local $shifted v128) (local $random v128)
    (local.set $s0 (v128.load (local.get $state)))
    (local.set $s1 (v128.load offset=16 (local.get $state)))
    (local.set $s2 (v128.load offset=32 (local.get $state)))
    (local.set $s3 (v128.load offset=48 (local.get $state)))
    (local.set $end
      (i32.add (local.get $destination) (i32.shl (local.get $count) (i32.const 1))))
    (loop $next
      (local.set $sum (i32x4.add (local.get $s0) (local.get $s3)))
      (local.set $random
        (i32x4.add
          (v128.or
            (i32x4.shl (local.get $sum) (i32.const 7))
            (i32x4.shr_u (local.get $sum) (i32.const 25)))
          (local.get $s0)))
      (local.set $shifted (i32x4.shl (local.get $s1) (i32.const 9)))
      (local.set $s2 (v128.xor (local.get $s2) (local.get $s0)))
      (local.set $s3 (v128.xor (local.get $s3) (local.get $s1)))
      (local.set $s1 (v128.xor (local.get $s1) (local.get $s2)))
      (local.set $s0 (v128.xor (local.get $s0) (local.get $s3)))
      (local.set $s2 (v128.xor (local.get $s2) (local.get $shifted)))
      (local.set $s3
        (v128.or
          (i32x4.shl (local.get $s3) (i32.const 11))
          (i32x4.shr_u (local.get $s3) (i32.const 21))))
      (local.set $low (i64x2.extract_lane 0 (local.get $random)))
      (local.set $high (i64x2.extract_lane 1 (local.get $random)))
      (i32.store16 (local.get $destination)
        (i32.load16_u
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (local.get $low)) (i32.const 0xffff))
              (i32.const 1)))))
      (i32.store16 offset=2 (local.get $destination)
        (i32.load16_u
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $low) (i64.const 16))) (i32.const 0xffff))
              (i32.const 1)))))
      (i32.store16 offset=4 (local.get $destination)
        (i32.load16_u
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $low) (i64.const 32))) (i32.const 0xffff))
              (i32.const 1)))))
      (i32.store16 offset=6 (local.get $destination)
        (i32.load16_u
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $low) (i64.const 48))) (i32.const 0xffff))
              (i32.const 1)))))
      (i32.store16 offset=8 (local.get $destination)
        (i32.load16_u
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (local.get $high)) (i32.const 0xffff))
              (i32.const 1)))))
      (i32.store16 offset=10 (local.get $destination)
        (i32.load16_u
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $high) (i64.const 16))) (i32.const 0xffff))
              (i32.const 1)))))
      (i32.store16 offset=12 (local.get $destination)
        (i32.load16_u
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $high) (i64.const 32))) (i32.const 0xffff))
              (i32.const 1)))))
      (i32.store16 offset=14 (local.get $destination)
        (i32.load16_u
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $high) (i64.const 48))) (i32.const 0xffff))
              (i32.const 1)))))
      (local.set $destination (i32.add (local.get $destination) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $destination) (local.get $end))))
    (v128.store (local.get $state) (local.get $s0))
    (v128.store offset=16 (local.get $state) (local.get $s1))
    (v128.store offset=32 (local.get $state) (local.get $s2))
    (v128.store offset=48 (local.get $state) (local.get $s3)))

  ;; Table entries of four bytes, chosen by the 16-bit halves of what four interleaved xoshiro128++
  ;; generators give. $state: 64 bytes, word w of generator g at 16 w + 4 g; left advanced.
  ;; $count: entries, a multiple of 8.
  (func (export "fillF32")
    (param $state i32) (param $table i32) (param $destination i32) (param $count i32)
    (local $end i32) (local $low i64) (local $high i64)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $sum v128) (local $shifted v128) (local $random v128)
    (local.set $s0 (v128.load (local.get $state)))
    (local.set $s1 (v128.load offset=16 (local.get $state)))
    (local.set $s2 (v128.load offset=32 (local.get $state)))
    (local.set $s3 (v128.load offset=48 (local.get $state)))
    (local.set $end
      (i32.add (local.get $destination) (i32.shl (local.get $count) (i32.const 2))))
    (loop $next
      (local.set $sum (i32x4.add (local.get $s0) (local.get $s3)))
      (local.set $random
        (i32x4.add
          (v128.or
            (i32x4.shl (local.get $sum) (i32.const 7))
            (i32x4.shr_u (local.get $sum) (i32.const 25)))
          (local.get $s0)))
      (local.set $shifted (i32x4.shl (local.get $s1) (i32.const 9)))
      (local.set $s2 (v128.xor (local.get $s2) (local.get $s0)))
      (local.set $s3 (v128.xor (local.get $s3) (local.get $s1)))
      (local.set $s1 (v128.xor (local.get $s1) (local.get $s2)))
      (local.set $s0 (v128.xor (local.get $s0) (local.get $s3)))
      (local.set $s2 (v128.xor (local.get $s2) (local.get $shifted)))
      (local.set $s3
        (v128.or
          (i32x4.shl (local.get $s3) (i32.const 11))
          (i32x4.shr_u (local.get $s3) (i32.const 21))))
      (local.set $low (i64x2.extract_lane 0 (local.get $random)))
      (local.set $high (i64x2.extract_lane 1 (local.get $random)))
      (i32.store (local.get $destination)
        (i32.load
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (local.get $low)) (i32.const 0xffff))
              (i32.const 2)))))
      (i32.store offset=4 (local.get $destination)
        (i32.load
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $low) (i64.const 16))) (i32.const 0xffff))
              (i32.const 2)))))
      (i32.store offset=8 (local.get $destination)
        (i32.load
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $low) (i64.const 32))) (i32.const 0xffff))
              (i32.const 2)))))
      (i32.store offset=12 (local.get $destination)
        (i32.load
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $low) (i64.const 48))) (i32.const 0xffff))
              (i32.const 2)))))
      (i32.store offset=16 (local.get $destination)
        (i32.load
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (local.get $high)) (i32.const 0xffff))
              (i32.const 2)))))
      (i32.store offset=20 (local.get $destination)
        (i32.load
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $high) (i64.const 16))) (i32.const 0xffff))
              (i32.const 2)))))
      (i32.store offset=24 (local.get $destination)
        (i32.load
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $high) (i64.const 32))) (i32.const 0xffff))
              (i32.const 2)))))
      (i32.store offset=28 (local.get $destination)
        (i32.load
          (i32.add
            (local.get $table)
            (i32.shl
              (i32.and (i32.wrap_i64 (i64.shr_u (local.get $high) (i64.const 48))) (i32.const 0xffff))
              (i32.const 2)))))
      (local.set $destination (i32.add (local.get $destination) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $destination) (local.get $end))))
    (v128.store (local.get $state) (local.get $s0))
    (v128.store offset=16 (local.get $state) (local.get $s1))
    (v128.store offset=32 (local.get $state) (local.get $s2))
    (v128.store offset=48 (local.get $state) (local.get $s3)))

  ;; Bits of the binary16 number nearest to a float, ties to even.
  (func $float16Bits (param $value f32) (result i32)
    (local $magnitude f32) (local $bits i32)
    (local.set $magnitude (f32.abs (local.get $value)))
    (local.set $bits (i32.reinterpret_f32 (local.get $magnitude)))
    (i32.or
      (i32.and
        (i32.shr_u (i32.reinterpret_f32 (local.get $value)) (i32.const 16))
        (i32.const 0x8000))
      (if (result i32) (i32.lt_u (local.get $bits) (i32.const 0x38800000)) ;; 2^-14
        (then ;; subnormal: a multiple of 2^-24
          (i32.trunc_sat_f32_u
            (f32.nearest (f32.mul (local.get $magnitude) (f32.const 16777216)))))
        (else ;; exponent bias 127 to 15 (minus 0x38000000), plus 0xfff and the last bit that stays
          (local.set $bits
            (i32.shr_u
              (i32.add
                (i32.sub (local.get $bits) (i32.const 0x37fff001))
                (i32.and (i32.shr_u (local.get $bits) (i32.const 13)) (i32.const 1)))
              (i32.const 13)))
          (select (local.get $bits) (i32.const 0x7c00)
            (i32.lt_u (local.get $bits) (i32.const 0x7c00)))))))

  ;; x * inverse, rounded half away from zero: adding the float before 0.5 in the value's direction
  ;; carries exactly from .5 on.
  (func $roundScaled (param $x v128) (param $inverse v128) (result v128)
    (local.set $x (f32x4.mul (local.get $x) (local.get $inverse)))
    (i32x4.trunc_sat_f32x4_s
      (f32x4.add
        (local.get $x)
        (v128.or
          (v128.and (local.get $x) (v128.const i32x4 0x80000000 0x80000000 0x80000000 0x80000000))
          (v128.const i32x4 0x3effffff 0x3effffff 0x3effffff 0x3effffff)))))

  ;; ggml's Q8_0: of each 32 floats the scale (greatest magnitude / 127) as binary16, then 32 signed
  ;; bytes. Floats are finite, and the scale is 0 or its inverse finite.
  (func (export "quantizeQ8_0") (param $source i32) (param $destination i32) (param $blockCount i32)
    (local $greatest v128) (local $scale f32) (local $inverse v128)
    (local $x0 v128) (local $x1 v128) (local $x2 v128) (local $x3 v128)
    (local $x4 v128) (local $x5 v128) (local $x6 v128) (local $x7 v128)
    (loop $next
      (local.set $x0 (v128.load (local.get $source)))
      (local.set $x1 (v128.load offset=16 (local.get $source)))
      (local.set $x2 (v128.load offset=32 (local.get $source)))
      (local.set $x3 (v128.load offset=48 (local.get $source)))
      (local.set $x4 (v128.load offset=64 (local.get $source)))
      (local.set $x5 (v128.load offset=80 (local.get $source)))
      (local.set $x6 (v128.load offset=96 (local.get $source)))
      (local.set $x7 (v128.load offset=112 (local.get $source)))
      (local.set $greatest
        (f32x4.pmax
          (f32x4.pmax
            (f32x4.pmax
              (f32x4.abs (local.get $x0))
              (f32x4.abs (local.get $x1)))
            (f32x4.pmax
              (f32x4.abs (local.get $x2))
              (f32x4.abs (local.get $x3))))
          (f32x4.pmax
            (f32x4.pmax
              (f32x4.abs (local.get $x4))
              (f32x4.abs (local.get $x5)))
            (f32x4.pmax
              (f32x4.abs (local.get $x6))
              (f32x4.abs (local.get $x7))))))
      (local.set $greatest
        (f32x4.pmax (local.get $greatest)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $greatest) (local.get $greatest))))
      (local.set $greatest
        (f32x4.pmax (local.get $greatest)
          (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $greatest) (local.get $greatest))))
      (local.set $scale (f32.div (f32x4.extract_lane 0 (local.get $greatest)) (f32.const 127)))
      (local.set $inverse
        (f32x4.splat
          (if (result f32) (f32.eq (local.get $scale) (f32.const 0))
            (then (f32.const 0))
            (else (f32.div (f32.const 1) (local.get $scale))))))
      (i32.store16 (local.get $destination) (call $float16Bits (local.get $scale)))
      (v128.store offset=2 (local.get $destination)
        (i8x16.narrow_i16x8_s
          (i16x8.narrow_i32x4_s
            (call $roundScaled (local.get $x0) (local.get $inverse))
            (call $roundScaled (local.get $x1) (local.get $inverse)))
          (i16x8.narrow_i32x4_s
            (call $roundScaled (local.get $x2) (local.get $inverse))
            (call $roundScaled (local.get $x3) (local.get $inverse)))))
      (v128.store offset=18 (local.get $destination)
        (i8x16.narrow_i16x8_s
          (i16x8.narrow_i32x4_s
            (call $roundScaled (local.get $x4) (local.get $inverse))
            (call $roundScaled (local.get $x5) (local.get $inverse)))
          (i16x8.narrow_i32x4_s
            (call $roundScaled (local.get $x6) (local.get $inverse))
            (call $roundScaled (local.get $x7) (local.get $inverse)))))
      (local.set $source (i32.add (local.get $source) (i32.const 128)))
      (local.set $destination (i32.add (local.get $destination) (i32.const 34)))
      (br_if $next (local.tee $blockCount (i32.sub (local.get $blockCount) (i32.const 1))))))

  ;; x * inverse + 8.5, truncated.
  (func $shiftScaled (param $x v128) (param $inverse v128) (result v128)
    (i32x4.trunc_sat_f32x4_s
      (f32x4.add
        (f32x4.mul (local.get $x) (local.get $inverse))
        (v128.const f32x4 8.5 8.5 8.5 8.5))))

  ;; ggml's Q4_0: of each 32 floats the scale (the float of greatest magnitude / -8, the first of
  ;; several) as binary16, then 16 bytes, element i in the low and 16 + i in the high half of byte i.
  ;; Floats are finite, and the scale is 0 or its inverse finite.
  (func (export "quantizeQ4_0") (param $source i32) (param $destination i32) (param $blockCount i32)
    (local $highest v128) (local $lowest v128) (local $depth f32) (local $place i32)
    (local $extreme f32) (local $scale f32) (local $inverse v128)
    (local $x0 v128) (local $x1 v128) (local $x2 v128) (local $x3 v128)
    (local $x4 v128) (local $x5 v128) (local $x6 v128) (local $x7 v128)
    (loop $next
      (local.set $x0 (v128.load (local.get $source)))
      (local.set $x1 (v128.load offset=16 (local.get $source)))
      (local.set $x2 (v128.load offset=32 (local.get $source)))
      (local.set $x3 (v128.load offset=48 (local.get $source)))
      (local.set $x4 (v128.load offset=64 (local.get $source)))
      (local.set $x5 (v128.load offset=80 (local.get $source)))
      (local.set $x6 (v128.load offset=96 (local.get $source)))
      (local.set $x7 (v128.load offset=112 (local.get $source)))
      (local.set $highest
        (f32x4.pmax
          (f32x4.pmax
            (f32x4.pmax
              (local.get $x0)
              (local.get $x1))
            (f32x4.pmax
              (local.get $x2)
              (local.get $x3)))
          (f32x4.pmax
            (f32x4.pmax
              (local.get $x4)
              (local.get $x5))
            (f32x4.pmax
              (local.get $x6)
              (local.get $x7)))))
      (local.set $highest
        (f32x4.pmax (local.get $highest)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $highest) (local.get $highest))))
      (local.set $highest
        (f32x4.pmax (local.get $highest)
          (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $highest) (local.get $highest))))
      (local.set $lowest
        (f32x4.pmin
          (f32x4.pmin
            (f32x4.pmin
              (local.get $x0)
              (local.get $x1))
            (f32x4.pmin
              (local.get $x2)
              (local.get $x3)))
          (f32x4.pmin
            (f32x4.pmin
              (local.get $x4)
              (local.get $x5))
            (f32x4.pmin
              (local.get $x6)
              (local.get $x7)))))
      (local.set $lowest
        (f32x4.pmin (local.get $lowest)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $lowest) (local.get $lowest))))
      (local.set $lowest
        (f32x4.pmin (local.get $lowest)
          (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $lowest) (local.get $lowest))))
      (local.set $extreme (f32x4.extract_lane 0 (local.get $highest)))
      (local.set $depth (f32.neg (f32x4.extract_lane 0 (local.get $lowest))))
      (if (f32.gt (local.get $depth) (local.get $extreme))
        (then (local.set $extreme (f32.neg (local.get $depth))))
        (else
          (if (f32.eq (local.get $depth) (local.get $extreme))
            (then ;; both signs reach the magnitude: the first decides
              (local.set $place (local.get $source))
              (loop $search
                (local.set $extreme (f32.load (local.get $place)))
                (local.set $place (i32.add (local.get $place) (i32.const 4)))
                (br_if $search (f32.ne (f32.abs (local.get $extreme)) (local.get $depth))))
              ;; of zeros the positive one
              (local.set $extreme (f32.add (local.get $extreme) (f32.const 0)))))))
      (local.set $scale (f32.mul (local.get $extreme) (f32.const -0.125)))
      (local.set $inverse
        (f32x4.splat
          (if (result f32) (f32.eq (local.get $scale) (f32.const 0))
            (then (f32.const 0))
            (else (f32.div (f32.const 1) (local.get $scale))))))
      (i32.store16 (local.get $destination) (call $float16Bits (local.get $scale)))
      (v128.store offset=2 (local.get $destination)
        (v128.or
          (i8x16.min_u
            (i8x16.narrow_i16x8_s
              (i16x8.narrow_i32x4_s
                (call $shiftScaled (local.get $x0) (local.get $inverse))
                (call $shiftScaled (local.get $x1) (local.get $inverse)))
              (i16x8.narrow_i32x4_s
                (call $shiftScaled (local.get $x2) (local.get $inverse))
                (call $shiftScaled (local.get $x3) (local.get $inverse))))
            (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
          (i8x16.shl
            (i8x16.min_u
              (i8x16.narrow_i16x8_s
                (i16x8.narrow_i32x4_s
                  (call $shiftScaled (local.get $x4) (local.get $inverse))
                  (call $shiftScaled (local.get $x5) (local.get $inverse)))
                (i16x8.narrow_i32x4_s
                  (call $shiftScaled (local.get $x6) (local.get $inverse))
                  (call $shiftScaled (local.get $x7) (local.get $inverse))))
              (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
            (i32.const 4))))
      (local.set $source (i32.add (local.get $source) (i32.const 128)))
      (local.set $destination (i32.add (local.get $destination) (i32.const 18)))
      (br_if $next (local.tee $blockCount (i32.sub (local.get $blockCount) (i32.const 1)))))))
