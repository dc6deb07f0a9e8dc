package ai.hanzo.dev.zap.schema;

import ai.hanzo.dev.zap.schema.Raw.TypeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads a {@code .zap} file.
 *
 * <pre>
 * file      := 'package' ident ( dialect | struct | enum | interface | alias )*
 * dialect   := 'dialect' ( 'shape' | 'head' )
 * alias     := 'type' ident '=' type
 * struct    := 'struct' ident ( '@' size )? '{' ( ident type '@' offset )* '}'
 * enum      := 'enum' ident '{' ( ident '=' number )* '}'
 * interface := 'interface' ident '{' method* '}'
 * method    := ident '(' param? ')' ( 'returns' '(' param? ')' )?      param := ident ':' ident
 * type      := bool|u8|u16|u32|u64|i8|i16|i32|i64|f32|f64|text|bytes
 *            | 'bytes_fixed' '[' uint ']' | 'list' '&lt;' type '&gt;' | ident
 * </pre>
 *
 * <p>A header that stands alone on its line and is followed by deeper lines is the white-space
 * form: the block has no braces, and a field without an offset begins where the one before it ended
 * (no alignment). A comment begins with {@code #}.
 *
 * <p>The language and its white-space form are those of the public zap-proto compiler; {@code
 * dialect} and {@code enum} are ours.
 */
public final class SchemaParser {
    /** Lists in lists in lists: deeper is refused, as the parser recurses. */
    private static final int MAX_TYPE_DEPTH = 16;

    private final String file;
    private final List<Token> tokens;
    private final Raw raw;
    private int at;

    private SchemaParser(String file, List<Token> tokens) {
        this.file = file;
        this.tokens = tokens;
        this.raw = new Raw(file);
    }

    /**
     * Reads and checks a schema that names its dialect.
     *
     * @param file how messages name it
     * @throws SchemaException if it is not a valid schema
     */
    public static Schema parse(String file, String source) {
        return parse(file, source, Optional.empty());
    }

    /**
     * Reads and checks a schema.
     *
     * @param assumed the dialect of a file that has no {@code dialect} line, as those of other
     *     compilers do
     * @throws SchemaException if it is not a valid schema
     */
    public static Schema parse(String file, String source, Dialect assumed) {
        return parse(file, source, Optional.of(assumed));
    }

    private static Schema parse(String file, String source, Optional<Dialect> assumed) {
        Raw raw = new SchemaParser(file, Token.cut(file, source)).file();
        Dialect dialect =
                raw.dialect
                        .or(() -> assumed)
                        .orElseThrow(() ->
                                new SchemaException(
                                        file,
                                        1,
                                        "no dialect: add a line 'dialect shape' or 'dialect"
                                                + " head'"));
        return new SchemaChecker(raw, dialect).check();
    }

    private Raw file() {
        if (!peek().is("package")) {
            throw refuse(peek(), "expected 'package', found " + peek());
        }
        while (peek().kind() != Token.Kind.END) {
            Token word = next();
            switch (word.text()) {
                case "package" -> packageName(word);
                case "dialect" -> dialect(word);
                case "type" -> alias();
                case "struct" -> struct(word);
                case "enum" -> enumOf(word);
                case "interface" -> interfaceOf(word);
                default ->
                        throw refuse(
                                word,
                                "expected struct, enum, interface, type or dialect, found " + word);
            }
        }
        return raw;
    }

    private void packageName(Token word) {
        String name = ident("a package name");
        if (raw.packageName.isPresent()) {
            throw refuse(word, "a second package line");
        }
        raw.packageName = Optional.of(name);
    }

    private void dialect(Token word) {
        Token name = next();
        if (raw.dialect.isPresent()) {
            throw refuse(word, "a second dialect line");
        }
        if (!name.is("shape") && !name.is("head")) {
            throw refuse(name, "expected dialect shape or head, found " + name);
        }
        raw.dialect = Optional.of(Dialect.valueOf(name.text().toUpperCase(Locale.ROOT)));
    }

    private void alias() {
        Token name = peek();
        ident("a name for the type");
        expect("=");
        raw.aliases.add(new Raw.Alias(name.text(), type(0), name.line()));
    }

    private void struct(Token word) {
        String name = ident("a struct name");
        OptionalInt size = offset();
        var fields = new ArrayList<Raw.Field>();
        Block block = open(word);
        while (block.hasMore()) {
            Token field = peek();
            ident("a field name");
            TypeText type = type(0);
            OptionalInt offset = offset();
            if (offset.isEmpty() && block.isBraced()) {
                throw refuse(peek(), "expected '@' and an offset, found " + peek());
            }
            block.endOfEntry(field);
            fields.add(new Raw.Field(field.text(), type, offset, field.line()));
        }
        if (fields.isEmpty()) {
            throw refuse(word, "struct " + name + " has no fields");
        }
        raw.structs.add(new Raw.Struct(name, size, fields, word.line()));
    }

    private void enumOf(Token word) {
        String name = ident("an enum name");
        var values = new ArrayList<EnumDef.Value>();
        Block block = open(word);
        while (block.hasMore()) {
            Token value = peek();
            ident("a word");
            expect("=");
            Token number = peek();
            int n = number();
            if (n < 1 || n > 0xFFFF) {
                throw refuse(number, "the number of " + value.text() + " is not in 1..65535");
            }
            block.endOfEntry(value);
            values.add(new EnumDef.Value(value.text(), n, value.line()));
        }
        if (values.isEmpty()) {
            throw refuse(word, "enum " + name + " has no values");
        }
        raw.enums.add(new EnumDef(name, values, word.line()));
    }

    private void interfaceOf(Token word) {
        String name = ident("an interface name");
        var methods = new ArrayList<InterfaceDef.Method>();
        Block block = open(word);
        while (block.hasMore()) {
            Token method = peek();
            ident("a method name");
            Optional<String> parameter = parameter();
            Optional<String> result = Optional.empty();
            if (peek().is("returns")) {
                next();
                result = parameter();
            }
            block.endOfEntry(method);
            methods.add(
                    new InterfaceDef.Method(
                            method.text(), methods.size() + 1, parameter, result, method.line()));
        }
        if (methods.isEmpty()) {
            throw refuse(word, "interface " + name + " has no methods");
        }
        raw.interfaces.add(new InterfaceDef(name, methods, word.line()));
    }

    private Optional<String> parameter() {
        expect("(");
        if (peek().is(")")) {
            next();
            return Optional.empty();
        }
        ident("a parameter name");
        expect(":");
        String type = ident("a struct name");
        if (!peek().is(")")) {
            throw refuse(
                    peek(), "a method takes and returns one struct; expected ')', found " + peek());
        }
        next();
        return Optional.of(type);
    }

    private TypeText type(int depth) {
        Token word = peek();
        String name = ident("a type");
        if (depth > MAX_TYPE_DEPTH) {
            throw refuse(word, "lists are nested more than " + MAX_TYPE_DEPTH + " deep");
        }
        if (name.equals("bytes_fixed")) {
            expect("[");
            int length = number();
            if (length == 0) {
                throw refuse(word, "bytes_fixed needs a length above 0");
            }
            expect("]");
            return new TypeText.Fixed(length);
        }
        if (name.equals("list")) {
            expect("<");
            TypeText element = type(depth + 1);
            expect(">");
            return new TypeText.ListOf(element, word.line());
        }
        return new TypeText.Named(name, word.line());
    }

    private OptionalInt offset() {
        if (!peek().is("@")) {
            return OptionalInt.empty();
        }
        next();
        return OptionalInt.of(number());
    }

    /** A number from 0 to 1 MiB: nothing in a schema is larger. */
    private int number() {
        Token token = next();
        if (token.kind() != Token.Kind.NUMBER) {
            throw refuse(token, "expected a number, found " + token);
        }
        String digits = token.text();
        if (digits.length() > 7 || Integer.parseInt(digits) > Schema.MAX_STRUCT_BYTES) {
            throw refuse(token, digits + " is above the limit of " + Schema.MAX_STRUCT_BYTES);
        }
        return Integer.parseInt(digits);
    }

    private String ident(String what) {
        Token token = next();
        if (token.kind() != Token.Kind.IDENT) {
            throw refuse(token, "expected " + what + ", found " + token);
        }
        return token.text();
    }

    private void expect(String mark) {
        Token token = next();
        if (!token.is(mark)) {
            throw refuse(token, "expected '" + mark + "', found " + token);
        }
    }

    private Token peek() {
        return tokens.get(at);
    }

    private Token next() {
        Token token = tokens.get(at);
        if (token.kind() != Token.Kind.END) {
            at++;
        }
        return token;
    }

    private SchemaException refuse(Token token, String what) {
        return new SchemaException(file, token.line(), what);
    }

    private Block open(Token header) {
        if (peek().is("{")) {
            next();
            return new Block(header, Form.BRACES);
        }
        if (!header.isFirst() || !peek().isFirst()) {
            throw refuse(peek(), "expected '{', found " + peek());
        }
        return new Block(header, Form.INDENT);
    }

    private enum Form {
        BRACES,
        INDENT
    }

    /** The body of a struct, enum or interface, between braces or by indentation. */
    private final class Block {
        private final Token header;
        private final Form form;

        Block(Token header, Form form) {
            this.header = header;
            this.form = form;
        }

        boolean isBraced() {
            return form == Form.BRACES;
        }

        boolean hasMore() {
            Token token = peek();
            if (form == Form.INDENT) {
                return token.kind() != Token.Kind.END && token.indent() > header.indent();
            }
            if (token.kind() == Token.Kind.END) {
                throw refuse(token, "'}' is missing for line " + header.line());
            }
            if (token.is("}")) {
                next();
                return false;
            }
            return true;
        }

        /** In the white-space form an entry is one line. */
        void endOfEntry(Token first) {
            boolean isWholeLine =
                    first.isFirst()
                            && peek().isFirst()
                            && tokens.get(at - 1).line() == first.line();
            if (form == Form.INDENT && !isWholeLine) {
                throw refuse(peek(), "expected the end of the line after " + first.text());
            }
        }
    }
}
