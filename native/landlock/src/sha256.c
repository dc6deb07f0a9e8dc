#include "sha256.h"

#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void plain(uint32_t h[8], const uint8_t *p, size_t blocks)
{
    for (; blocks--; p += 64) {
        uint32_t w[64], v[8];
        for (int i = 0; i < 16; i++) {
            uint32_t x;
            memcpy(&x, p + i * 4, 4);
            w[i] = __builtin_bswap32(x);
        }
        for (int i = 16; i < 64; i++) {
            uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
                   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
        }
        memcpy(v, h, sizeof v);
        for (int i = 0; i < 64; i++) {
            uint32_t e = v[4], a = v[0];
            uint32_t t = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                         ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
            uint32_t u = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                         ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += t;
            v[0] = t + u;
        }
        for (int i = 0; i < 8; i++) h[i] += v[i];
    }
}

/* Four rounds an instruction pair; the message schedule turns in four registers. */
__attribute__((target("sha,sse4.1,ssse3"))) static void fast(uint32_t h[8], const uint8_t *p,
                                                             size_t blocks)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll);
    __m128i t = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)h), 0xb1);
    __m128i s1 = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(h + 4)), 0x1b);
    __m128i s0 = _mm_alignr_epi8(t, s1, 8);
    s1 = _mm_blend_epi16(s1, t, 0xf0);
    for (; blocks--; p += 64) {
        __m128i a = s0, b = s1, m[4];
        for (int i = 0; i < 4; i++)
            m[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + i * 16)), swap);
        for (int i = 0; i < 16; i++) {
            __m128i x = _mm_add_epi32(m[i & 3], _mm_loadu_si128((const __m128i *)(K + i * 4)));
            s1 = _mm_sha256rnds2_epu32(s1, s0, x);
            s0 = _mm_sha256rnds2_epu32(s0, s1, _mm_shuffle_epi32(x, 0x0e));
            if (i >= 12) continue;
            __m128i next = _mm_sha256msg1_epu32(m[i & 3], m[(i + 1) & 3]);
            next = _mm_add_epi32(next, _mm_alignr_epi8(m[(i + 3) & 3], m[(i + 2) & 3], 4));
            m[i & 3] = _mm_sha256msg2_epu32(next, m[(i + 3) & 3]);
        }
        s0 = _mm_add_epi32(s0, a);
        s1 = _mm_add_epi32(s1, b);
    }
    t = _mm_shuffle_epi32(s0, 0x1b);
    s1 = _mm_shuffle_epi32(s1, 0xb1);
    _mm_storeu_si128((__m128i *)h, _mm_blend_epi16(t, s1, 0xf0));
    _mm_storeu_si128((__m128i *)(h + 4), _mm_alignr_epi8(s1, t, 8));
}

static void blocks(uint32_t h[8], const uint8_t *p, size_t n)
{
    static int is_fast = -1;
    if (is_fast < 0) {
        unsigned a, b = 0, c, d;
        is_fast = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1) &&
                  __builtin_cpu_supports("sse4.1");
    }
    if (is_fast)
        fast(h, p, n);
    else
        plain(h, p, n);
}

void sha256_begin(struct sha256 *s)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->state, first, sizeof first);
    s->bytes = 0;
}

void sha256_add(struct sha256 *s, const void *data, size_t n)
{
    const uint8_t *p = data;
    size_t have = s->bytes % 64;
    s->bytes += n;
    if (have) {
        size_t take = 64 - have < n ? 64 - have : n;
        memcpy(s->block + have, p, take);
        p += take;
        n -= take;
        if (have + take < 64) return;
        blocks(s->state, s->block, 1);
    }
    if (n >= 64) blocks(s->state, p, n / 64);
    if (n % 64) memcpy(s->block, p + n / 64 * 64, n % 64);
}

void sha256_end(struct sha256 *s, uint8_t digest[32])
{
    static const uint8_t padding[64] = {0x80};
    uint64_t bits = __builtin_bswap64(s->bytes * 8);
    sha256_add(s, padding, (119 - s->bytes % 64) % 64 + 1);
    sha256_add(s, &bits, sizeof bits);
    for (int i = 0; i < 8; i++) {
        uint32_t x = __builtin_bswap32(s->state[i]);
        memcpy(digest + i * 4, &x, 4);
    }
}
