package ai.hanzo.dev.zap.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.rpc.Envelope.Call;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import ai.hanzo.dev.zap.rpc.Pipeline.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private static final long SECOND = 1_000_000_000L;

    private final Pipeline pipeline =
            new Pipeline(new Pipeline.Bounds(4, 3, 5, 100, Duration.ofSeconds(30)));

    private static Call call(long promise, long target) {
        return new Call(1, promise, target, Bytes.empty(), Bytes.utf8("own"));
    }

    private static Response ok(long promise, String body) {
        return new Response(Response.OK, promise, Bytes.utf8(body));
    }

    private static Step refused(long promise) {
        return new Step.Send(new Response(Response.BAD_REQUEST, promise, Bytes.empty()));
    }

    private static Step dispatched(long promise, String payload) {
        return new Step.Dispatch(new Call(1, promise, 0, Bytes.empty(), Bytes.utf8(payload)));
    }

    private List<Step> arrive(long promise, long target) {
        return pipeline.call(call(promise, target), 0);
    }

    @Test
    void aPlainCallIsDispatchedAndItsAnswerSent() {
        assertThat(arrive(1, 0)).containsExactly(dispatched(1, "own"));
        assertThat(pipeline.answered(ok(1, "a"))).containsExactly(new Step.Send(ok(1, "a")));
    }

    @Test
    void aCallOnAnAnswerTakesItsBodyForItsPayload() {
        arrive(1, 0);
        pipeline.answered(ok(1, "a"));
        assertThat(arrive(2, 1)).containsExactly(dispatched(2, "a"));
    }

    @Test
    void aCallOnARunningCallWaitsForIt() {
        arrive(1, 0);
        assertThat(arrive(2, 1)).isEmpty();
        assertThat(arrive(3, 2)).isEmpty();
        assertThat(pipeline.answered(ok(1, "a")))
                .containsExactly(new Step.Send(ok(1, "a")), dispatched(2, "a"));
        assertThat(pipeline.answered(ok(2, "b")))
                .containsExactly(new Step.Send(ok(2, "b")), dispatched(3, "b"));
    }

    @Test
    void aCallMayComeBeforeTheOneThatItNames() {
        assertThat(arrive(2, 1)).isEmpty();
        arrive(1, 0);
        assertThat(pipeline.answered(ok(1, "a"))).contains(dispatched(2, "a"));
    }

    @Test
    void aFailureFailsAllThatWaitForItAtWhateverDistance() {
        arrive(1, 0);
        arrive(2, 1);
        arrive(3, 2);
        Response failed = new Response(Response.FAILED, 1, Bytes.empty());
        assertThat(pipeline.answered(failed))
                .containsExactly(new Step.Send(failed), refused(2), refused(3));
        assertThat(arrive(4, 1)).containsExactly(refused(4));
        assertThat(pipeline.parked()).isZero();
    }

    @Test
    void c1ParkedCallsDoNotKeepTheirTargetFromBeingReadAndRun() {
        for (long promise = 2; promise <= 40; promise++) {
            arrive(promise, 1);
            assertThat(pipeline.mayRead()).as("after promise %s", promise).isTrue();
        }
        assertThat(pipeline.parked()).isEqualTo(3);
        assertThat(arrive(1, 0)).containsExactly(dispatched(1, "own"));
        assertThat(pipeline.answered(ok(1, "a")))
                .containsExactly(
                        new Step.Send(ok(1, "a")),
                        dispatched(2, "a"),
                        dispatched(3, "a"),
                        dispatched(4, "a"));
    }

    @Test
    void c1WhatIsParkedTooLongIsRefused() {
        arrive(2, 1);
        pipeline.call(call(3, 2), 10 * SECOND);
        assertThat(pipeline.expire(29 * SECOND)).isEmpty();
        assertThat(pipeline.expire(30 * SECOND)).containsExactly(refused(2), refused(3));
        assertThat(pipeline.parked()).isZero();
    }

    @Test
    void c2ACallThatWaitsForItselfIsRefusedAtOnce() {
        assertThat(arrive(1, 1)).containsExactly(refused(1));
    }

    @Test
    void c2ACircleOfCallsIsRefusedWhenItCloses() {
        arrive(1, 2);
        arrive(2, 3);
        assertThat(arrive(3, 1)).containsExactly(refused(3), refused(2), refused(1));
        assertThat(pipeline.parked()).isZero();
    }

    @Test
    void c3AnswersThatAreKeptAreBoundedInNumberAndBytes() {
        for (long promise = 1; promise <= 20; promise++) {
            arrive(promise, 0);
            pipeline.answered(ok(promise, "x"));
        }
        assertThat(pipeline.kept()).isEqualTo(5);
        arrive(21, 0);
        pipeline.answered(ok(21, "y".repeat(99)));
        assertThat(pipeline.kept()).isEqualTo(2);
        arrive(22, 0);
        pipeline.answered(ok(22, "z".repeat(101)));
        assertThat(pipeline.kept()).isZero();
    }

    @Test
    void anAnswerThatIsFinishedCannotBeNamed() {
        arrive(1, 0);
        pipeline.answered(ok(1, "a"));
        pipeline.finish(1);
        assertThat(arrive(2, 1)).isEmpty();
        assertThat(pipeline.expire(30 * SECOND)).containsExactly(refused(2));
    }

    @Test
    void c5APromiseInUseEndsTheConnection() {
        arrive(1, 0);
        arrive(2, 1);
        assertThatThrownBy(() -> arrive(1, 0)).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> arrive(2, 0)).isInstanceOf(CodecException.class);
        assertThat(arrive(0, 0)).containsExactly(refused(0));
        assertThatThrownBy(() -> pipeline.answered(ok(9, "")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatHasNoRoomToRunWaitsForIt() {
        for (long promise = 1; promise <= 4; promise++) {
            arrive(promise, 0);
        }
        assertThat(pipeline.mayRead()).isFalse();
        assertThat(arrive(5, 0)).isEmpty();
        assertThat(pipeline.answered(ok(2, "a")))
                .containsExactly(new Step.Send(ok(2, "a")), dispatched(5, "own"));
    }

    /** Whatever arrives: each call has one answer in the end, and the bounds hold all the time. */
    @Property(tries = 300)
    void everyCallIsAnsweredOnce(@ForAll long seed) {
        var random = new SplittableRandom(seed);
        var running = new ArrayDeque<Long>();
        var answered = new ArrayList<Long>();
        Set<Long> called = new HashSet<>();
        for (long i = 0; i < 200; i++) {
            long promise = random.nextLong(1, 61);
            if (random.nextBoolean() && called.add(promise)) {
                long target = random.nextInt(3) == 0 ? 0 : random.nextLong(1, 61);
                note(pipeline.call(call(promise, target), i * SECOND), running, answered);
            } else if (!running.isEmpty()) {
                long status = random.nextInt(4) == 0 ? Response.FAILED : Response.OK;
                var response = new Response(status, running.remove(), Bytes.utf8("b"));
                note(pipeline.answered(response), running, answered);
            }
            assertThat(pipeline.running()).isLessThanOrEqualTo(4).isEqualTo(running.size());
            assertThat(pipeline.parked()).isLessThanOrEqualTo(3);
        }
        note(pipeline.expire(1_000 * SECOND), running, answered);
        while (!running.isEmpty()) {
            note(pipeline.answered(ok(running.remove(), "")), running, answered);
        }
        assertThat(answered).containsExactlyInAnyOrderElementsOf(called);
    }

    private static void note(List<Step> steps, ArrayDeque<Long> running, List<Long> answered) {
        for (Step step : steps) {
            switch (step) {
                case Step.Dispatch(Call call) -> running.add(call.promise());
                case Step.Send(Response response) -> answered.add(response.promise());
            }
        }
    }
}
