package ai.hanzo.dev.zap;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.rpc.Envelope;
import ai.hanzo.dev.zap.rpc.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The runner itself: each construct of a vector file passes when right and fails when wrong. */
class VectorRunnerTest {

    /** Everything that a schema, values and a build can say; single quotes for double ones. */
    private static final String EVERYTHING =
            """
            {'name':'t','group':'list','version':2,'flags':51200,'rootOffset':%d,'sizeBytes':%d,\
            'schema':[{'name':'b','type':'bool','offset':0},{'name':'i','type':'i8','offset':1},\
            {'name':'h','type':'u16','offset':2},{'name':'f','type':'f32','offset':4},\
            {'name':'d','type':'f64','offset':8},{'name':'n','type':'i64','offset':16},\
            {'name':'t','type':'text','offset':24},{'name':'y','type':'bytes','offset':32},\
            {'name':'x','type':'bytes_fixed','n':3,'offset':40},\
            {'name':'s','type':'struct','offset':44,'fields':[{'name':'v','type':'u32','offset':0}]},\
            {'name':'z','type':'struct','offset':48,'fields':[]},\
            {'name':'l1','type':'list_u8','offset':52},{'name':'l4','type':'list_u32','offset':60},\
            {'name':'l8','type':'list_u64','offset':68},{'name':'lr','type':'list_raw','offset':76},\
            {'name':'vb','type':'list_var_bytes','offset':84},\
            {'name':'vt','type':'list_var_text','offset':92},\
            {'name':'vs','type':'list_var_struct','offset':100,\
            'fields':[{'name':'v','type':'u8','offset':0}]},\
            {'name':'li','type':'list_inline','stride':4,'offset':108,\
            'fields':[{'name':'v','type':'u32','offset':0}]},\
            {'name':'lf','type':'list_fixed','n':2,'offset':116},\
            {'name':'lp','type':'list_ptr','offset':124,\
            'fields':[{'name':'v','type':'u32','offset':0}]},\
            {'name':'lz','type':'list_u8','offset':132}],\
            'values':{'b':true,'i':-2,'h':65535,'f':{'bits':'0x7fc00001','value':'NaN'},\
            'd':{'bits':'0x8000000000000000','value':-0.0},'n':'-9223372036854775808','t':'zäp',\
            'y':{'len':600,'sha256':'%s'},'x':'010203','s':{'v':7},'z':null,\
            'l1':[1,2],'l4':{'count':301,'first':5,'last':5},'l8':['18446744073709551615'],\
            'lr':'0a0b','vb':['01',''],'vt':['a'],'vs':[{'v':9},null],\
            'li':[{'v':7},{'v':8}],'lf':['0102','0304'],'lp':[{'v':7},null],'lz':null},\
            'build':[['startObject','C',4],['u32','C',0,7],['finish','C'],\
            ['startList','l1',1],['addU8','l1',1],['addU8','l1',2],\
            ['startList','l4',4],%s\
            ['startList','l8',8],['addU64','l8','18446744073709551615'],\
            ['startList','vb',0],['addObjectBytes','vb','01'],['addObjectBytes','vb',''],\
            ['startList','vt',0],['addObjectBytes','vt','61'],\
            ['startList','vs',0],['addObjectBytes','vs','5a415000010000001000000011000000' ],\
            ['addObjectBytes','vs',''],\
            ['startList','li',0],['addBytes','li','0700000008000000'],\
            ['startList','lf',0],['addBytes','lf','01020304'],\
            ['startList','lp',4],['addObjectPtr','lp','C'],['addObjectPtr','lp',null],\
            ['writeBytes','w','0a0b'],\
            ['startObject','A',140],['bool','A',0,true],['i8','A',1,-2],['u16','A',2,65535],\
            ['f32','A',4,'0x7fc00001'],['f64','A',8,'0x8000000000000000'],\
            ['i64','A',16,'-9223372036854775808'],['text','A',24,'zäp'],\
            ['bytes','A',32,'repeat:5a*600'],['fixed','A',40,'010203'],['object','A',44,'C'],\
            ['object','A',48,null],['list','A',52,'l1'],['list','A',60,'l4'],['list','A',68,'l8'],\
            ['listAt','A',76,'w',2],['list','A',84,'vb'],['list','A',92,'vt'],['list','A',100,'vs'],\
            ['listN','A',108,'li',2],['listN','A',116,'lf',2],['list','A',124,'lp'],\
            ['list','A',132,null],['finishRoot','A'],['finishMessage',51200]],\
            'sha256':'%s','hex':%s}\
            """
                    .replace("'5a415000010000001000000011000000' ", "'%s'");

    /** The example of the format: u32 DEADBEEF, text "zap", bytes 01020304. */
    private static final String GOLDEN =
            "5a41500001000000100000002f000000"
                    + "efbeadde00000000"
                    + "1000000003000000"
                    + "0b00000004000000"
                    + "7a617001020304";

    @TempDir Path folder;

    /** The vector with what its own build gives filled in; {@code hex} null or not. */
    private static String everything(boolean hasHex) {
        String adds = "['addU32','l4',5],".repeat(301);
        String inner = "5a41500001000000" + "1000000011000000" + "09";
        String yes = VectorText.sha256(VectorText.bytes("repeat:5a*600"));
        String draft = EVERYTHING.formatted(0, 0, yes, adds, inner, "", "null").replace('\'', '"');
        Map<String, Object> vector = Json.object(draft);
        byte[] message =
                new Replay(ZapWriter.compatible(2), false)
                        .run(Json.list(Json.get(vector, "build")));
        long root = ZapReader.open(message, ZapReader.Mode.COMPATIBLE).root();
        String hex = hasHex ? "'" + VectorText.hex(message) + "'" : "null";
        return EVERYTHING
                .formatted(root, message.length, yes, adds, inner, VectorText.sha256(message), hex)
                .replace('\'', '"');
    }

    private static List<String> failuresOf(String line) {
        var runner = new VectorRunner();
        runner.runLine("file:1", line);
        assertThat(runner.passed() + runner.failures().size()).isOne();
        return runner.failures();
    }

    @Test
    void aVectorWithEveryTypeAndCallPassesWithAndWithoutItsBytes() {
        assertThat(failuresOf(everything(true))).isEmpty();
        assertThat(failuresOf(everything(false))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'b':true|'b':false|root.b",
                "'i':-2|'i':-3|root.i",
                "'bits':'0x7fc00001'|'bits':'0x7fc00000'|root.f",
                "'bits':'0x8000000000000000'|'bits':'0x0000000000000000'|root.d",
                "'n':'-9223372036854775808'|'n':'9223372036854775808'|root.n",
                "'t':'zäp'|'t':'zap'|root.t",
                "'len':600|'len':599|root.y length",
                "'x':'010203'|'x':'010204'|root.x",
                "'s':{'v':7}|'s':{'v':8}|root.s.v",
                "'s':{'v':7}|'s':null|root.s is null",
                "'z':null|'z':{}|root.z is null",
                "'l1':[1,2]|'l1':[1,2,3]|root.l1 count",
                "'l1':[1,2]|'l1':[1,3]|root.l1[1]",
                "'count':301|'count':300|root.l4 count",
                "'last':5|'last':6|root.l4[300]",
                "'l8':['18446744073709551615']|'l8':['-1']|root.l8[0]",
                "'lr':'0a0b'|'lr':'0a0c'|root.lr",
                "'vb':['01','']|'vb':['01',null]|root.vb[1]",
                "'vt':['a']|'vt':['b']|root.vt[0]",
                "'vs':[{'v':9},null]|'vs':[{'v':9},{'v':0}]|root.vs[1]",
                "'li':[{'v':7},{'v':8}]|'li':[{'v':7},{'v':9}]|root.li",
                "'lf':['0102','0304']|'lf':['0102','0305']|root.lf",
                "'lp':[{'v':7},null]|'lp':[null,null]|root.lp",
                "'lz':null|'lz':[]|root.lz is null",
                "'lz':null}|'lz':null,'more':1}|values that its schema has not",
                "'lz':null}|'l0':null}|no value for root.lz",
                "'group':'list'|'group':'rpc'|neither a call nor a response",
                "'version':2|'version':1|version",
                "'flags':51200|'flags':1|flags",
                "'type':'list_raw'|'type':'list_of'|no such type: list_of",
                "'type':'bool'|'type':'void'|no such type: void",
                "['addU8','l1',1]|['addU7','l1',1]|no such call: addU7",
                "['finishRoot','A']|['finishAll','A']|finishAll",
                "['u32','C',0,7]|['u32','C',0,8]|the writer gives other bytes",
                "'schema':|'fields':|does not say what is in the message",
            })
    void whatIsWrongOrUnknownIsANamedFailure(String from, String to, String what) {
        String right = everything(true);
        String wrong = right.replace(from.replace('\'', '"'), to.replace('\'', '"'));

        assertThat(wrong).isNotEqualTo(right);
        assertThat(failuresOf(wrong)).singleElement().asString().contains("FAILED t: ", what);
    }

    @Test
    void aFrameVectorMayHoldSeveralFramesAndNothingElse() {
        Bytes call = new Envelope.Call(1, 2, 0, Bytes.empty(), Bytes.empty()).encode();
        Bytes frames =
                new Frame(Frame.Direction.STREAM_OPEN, call)
                        .encode()
                        .concat(
                                new Frame(Frame.Direction.STREAM_MESSAGE, Bytes.hex("02000000ff"))
                                        .encode());

        assertThat(failuresOf(frame("frame", "two frames", frames))).isEmpty();
        assertThat(failuresOf(frame("frame", "cut", frames.slice(0, frames.length() - 1))))
                .singleElement()
                .asString()
                .contains("bytes left");
        assertThat(failuresOf(frame("other", "two frames", frames)))
                .singleElement()
                .asString()
                .contains("no kind that is known");
        Bytes node = Bytes.hex("34000000" + "0100000001000000").concat(call);
        assertThat(failuresOf(frame("frame", "node framing of a call", node))).isEmpty();
        assertThat(failuresOf(frame("frame", "node framing, cut", node.slice(0, 50))))
                .singleElement()
                .asString()
                .contains("the length");
    }

    private static String frame(String group, String description, Bytes bytes) {
        return "{'name':'f','group':'%s','description':'%s','sizeBytes':%d,'sha256':'%s','hex':'%s'}"
                .formatted(
                        group,
                        description,
                        bytes.length(),
                        VectorText.sha256(bytes.toArray()),
                        bytes.toHex())
                .replace('\'', '"');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "u32@0|3735928559|",
                "u32@0|1|Go 1, we 3735928559",
                "text@8|'quoted'|",
                "bytes@16|hex:01020304|",
                "f32@0|-6.2598534e+18|",
                "f32@0|1.5|Go 1.5",
                "list@16.u8[0]|1|",
                "u32@0.u32@0|0|a path that cannot be",
                "list@16|0|a path that cannot be",
                "u33@0|0|no such step",
                "list@16.each.x|0|a path that cannot be",
                "list@16.u8|0|without its index",
                "list@16.u7[0]|0|no such step",
                "list@16.u8[0|0|cannot be read: 'u8[0'",
                "list@16.u8[0]]|0|cannot be read",
                "u32@x|0|cannot be read",
                "u32@0.|0|cannot be read",
            })
    void aMalformedVectorIsReadAlongItsPaths(String path, String result, String failure) {
        String quoted = result.startsWith("'") ? "'\\\"z\\\\u0061p\\\"'" : "'" + result + "'";
        List<String> failures =
                failuresOf(
                        ("{'name':'m','kind':'message','hex':'%s','recommendForNewCodec':'accept',"
                                        + "'go':{'parse':'ok','reads':[{'call':'%s','result':%s}]}}")
                                .formatted(GOLDEN, path, quoted)
                                .replace('\'', '"'));

        if (failure == null) {
            assertThat(failures).isEmpty();
        } else {
            assertThat(failures).singleElement().asString().contains("FAILED m: ", failure);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "feffffffffffffff0100000000000000|bool[0]|true|false",
                "feffffffffffffff0100000000000000|u8[0]|254|-2",
                "feffffffffffffff0100000000000000|i8[0]|-2|254",
                "feffffffffffffff0100000000000000|u16[0]|65534|-2",
                "feffffffffffffff0100000000000000|i16[0]|-2|65534",
                "feffffffffffffff0100000000000000|u32[0]|4294967294|-2",
                "feffffffffffffff0100000000000000|i32[1]|-1|4294967295",
                "feffffffffffffff0100000000000000|u64[0]|18446744073709551614|-2",
                "feffffffffffffff0100000000000000|i64[0]|-2|2",
                "feffffffffffffff0100000000000000|i64[1]|1|0",
                "000000000000f83f0000000000000080|f32[1]|1.9375|1.5",
                "000000000000f83f0000000000000080|f64[0]|1.5|1.9375",
                "000000000000f83f0000000000000080|f64[1]|-0|0",
                "000000000000f83f0000000000000080|f64[2]|0|1",
                "000000000000f83f0000000000000080|f64[-1]|panic: index|",
            })
    void aListOfEachScalarKindIsReadByItsElements(
            String content, String step, String right, String wrong) {
        String vector =
                ("{'name':'m','kind':'message','hex':null,'version':2,'build':["
                                + "['startList','l',0],['addBytes','l','%s'],['startObject','A',8],"
                                + "['listN','A',0,'l',2],['finishRoot','A']],"
                                + "'recommendForNewCodec':'accept','go':{'parse':'ok',"
                                + "'reads':[{'call':'list@0.%s','result':'%%s'}]}}")
                        .formatted(content, step)
                        .replace('\'', '"');
        assertThat(failuresOf(vector.formatted(right))).isEmpty();
        if (wrong != null) {
            assertThat(failuresOf(vector.formatted(wrong)))
                    .singleElement()
                    .asString()
                    .contains("FAILED m: list@0." + step + ": Go " + wrong + ", we ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "addBool, true, 01",
        "addI8, -2, fe",
        "addI16, -2, feff",
        "addI32, -2, feffffff",
        "addI64, -2, feffffffffffffff",
        "addF32, '\"0x3fc00000\"', 0000c03f",
        "addF64, '\"0x3ff8000000000000\"', 000000000000f83f"
    })
    void aListOfEachScalarKindIsBuilt(String call, String value, String bytes) {
        String build =
                "{\"b\":[[\"startList\",\"l\",0],[\"%s\",\"l\",%s],[\"startObject\",\"A\",8],"
                        .formatted(call, value);
        String end = "[\"listN\",\"A\",0,\"l\",1],[\"finishRoot\",\"A\"]]}";
        byte[] message =
                new Replay(ZapWriter.compatible(2), false)
                        .run(Json.list(Json.get(Json.object(build + end), "b")));
        assertThat(VectorText.hex(message)).contains(bytes);
    }

    @Test
    void anUnknownKindABrokenLineAndAFileThatIsNotThereAreFailures() throws IOException {
        assertThat(failuresOf("{\"name\":\"k\",\"kind\":\"song\",\"hex\":\"\"}"))
                .singleElement()
                .asString()
                .contains("FAILED k: ", "no such kind");
        for (String broken : List.of("{", "[]", "{} {}", "{\"name\":\"n\"}", "[".repeat(100_000))) {
            assertThat(failuresOf(broken)).hasSize(1);
        }
        var runner = new VectorRunner();
        runner.run(folder.resolve("missing.jsonl"));
        runner.run(Files.writeString(folder.resolve("empty.jsonl"), "\n"));
        assertThat(runner.failures()).hasSize(2);
        assertThat(runner.report(System.out)).isOne();
    }
}
