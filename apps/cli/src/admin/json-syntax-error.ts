import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** The first syntax error of a JSON text. Line and column count from 1. */
export interface JsonSyntaxError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

const MISSING_CLOSE = 'a comma or a closing bracket is missing here';
const BROKEN_TEXT = 'a string in double quotes is malformed or not closed';
const BROKEN_NUMBER = 'a number is malformed here';
const COMMENT = 'JSON has no comments: remove this one';

/** By the names that the parser gives its errors. */
const MESSAGES: Readonly<Record<string, string>> = {
  ValueExpected: 'a value is missing here',
  PropertyNameExpected: 'a name in double quotes is missing here (remove a comma before })',
  ColonExpected: 'a colon is missing here',
  CommaExpected: MISSING_CLOSE,
  CloseBraceExpected: MISSING_CLOSE,
  CloseBracketExpected: MISSING_CLOSE,
  EndOfFileExpected: 'there is text after the end of the JSON value',
  InvalidSymbol: 'this is not JSON: write names and text in double quotes',
  InvalidNumberFormat: BROKEN_NUMBER,
  UnexpectedEndOfNumber: BROKEN_NUMBER,
  InvalidCommentToken: COMMENT,
  UnexpectedEndOfComment: COMMENT,
  UnexpectedEndOfString: BROKEN_TEXT,
  InvalidUnicode: BROKEN_TEXT,
  InvalidEscapeCharacter: BROKEN_TEXT,
  InvalidCharacter: BROKEN_TEXT,
};

/**
 * Finds the first place at which `text` is not valid JSON (RFC 8259), or null. JSON.parse reports the position only
 * in some versions of Node, and in none for every error.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError | null {
  const errors: ParseError[] = [];
  parse(text, errors, STRICT);
  const [first] = errors;
  if (first === undefined) return null;
  const before = text.slice(0, first.offset).split('\n');
  return {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    message: MESSAGES[printParseErrorCode(first.error)] ?? 'the JSON is malformed here',
  };
}
