/**
 * Changes compiled Java classes (Java Virtual Machine Specification, chapter 4), as far as patching a broker needs it.
 */

/** Tags in the constant pool by the number of bytes after them. Texts are longer by their length. */
const tagsByLength: readonly (readonly [length: number, tags: readonly number[]])[] = [
  [2, [1, 7, 8, 16, 19, 20]],
  [3, [15]],
  [4, [3, 4, 9, 10, 11, 12, 17, 18]],
  [8, [5, 6]],
];
const TEXT = 1;
const LONG = 5;
const DOUBLE = 6;
const CLASS = 7;
/** After magic number and version. */
const POOL_AT = 8;
/** Name, descriptor and the like before the attributes of a field or method. */
const MEMBER_BYTES = 6;
/** Name and length of an attribute. */
const ATTRIBUTE_BYTES = 6;
const HANDLER_BYTES = 8;

interface ClassFile {
  readonly bytes: Buffer;
  readonly texts: ReadonlyMap<number, string>;
  /** Names of classes, by the number of their constant. */
  readonly classes: ReadonlyMap<number, string>;
  /** Where the constant pool ends. */
  readonly body: number;
}

/**
 * The class with every `catch (caught)` of `method` turned into one of `instead`, a class that the code names already.
 * Throws an Error unless there is exactly one.
 */
export function retargetCatch(
  original: Uint8Array,
  { method, caught, instead }: Readonly<Record<'method' | 'caught' | 'instead', string>>,
): Buffer {
  const file = readClassFile(Buffer.from(original));
  const [number] = [...file.classes].find(([, name]) => name === instead) ?? [];
  const handlers = findHandlers(file, method).filter(
    (at) => file.classes.get(file.bytes.readUInt16BE(at)) === caught,
  );
  const [handler] = handlers;
  if (number === undefined || handler === undefined || handlers.length > 1) {
    throw new Error(`${method} has ${handlers.length} handlers of ${caught}, where one is known`);
  }
  file.bytes.writeUInt16BE(number, handler);
  return file.bytes;
}

function readClassFile(bytes: Buffer): ClassFile {
  const texts = new Map<number, string>();
  const named = new Map<number, number>();
  const count = bytes.readUInt16BE(POOL_AT);
  let at = POOL_AT + 2;
  for (let number = 1; number < count; number++) {
    const tag = bytes.readUInt8(at);
    const [length] = tagsByLength.find(([, tags]) => tags.includes(tag)) ?? [];
    if (length === undefined) throw new Error(`unknown constant ${tag} in a Java class`);
    const value = bytes.readUInt16BE(at + 1);
    at += 1 + length;
    if (tag === TEXT) {
      texts.set(number, bytes.toString('utf8', at, at + value));
      at += value;
    }
    if (tag === CLASS) named.set(number, value);
    // These take two numbers.
    if (tag === LONG || tag === DOUBLE) number += 1;
  }
  const classes = new Map([...named].map(([number, text]) => [number, texts.get(text) ?? '']));
  return { bytes, texts, classes, body: at };
}

/** Where the caught class of each exception handler of the method stands. */
function findHandlers(file: ClassFile, method: string): readonly number[] {
  const { bytes, texts, body } = file;
  const interfaces = body + MEMBER_BYTES;
  const fields = skipMembers(file, interfaces + 2 + 2 * bytes.readUInt16BE(interfaces), () => {});
  const handlers: number[] = [];
  skipMembers(file, fields, (member) => {
    if (texts.get(bytes.readUInt16BE(member + 2)) !== method) return;
    skipAttributes(file, member + MEMBER_BYTES, (attribute) => {
      if (texts.get(bytes.readUInt16BE(attribute)) === 'Code') {
        handlers.push(...handlersOf(bytes, attribute + ATTRIBUTE_BYTES));
      }
    });
  });
  return handlers;
}

function handlersOf(bytes: Buffer, code: number): readonly number[] {
  // The sizes of stack and variables come first, then the instructions.
  const table = code + 4 + 4 + bytes.readUInt32BE(code + 4);
  return Array.from(
    { length: bytes.readUInt16BE(table) },
    (_, index) => table + 2 + index * HANDLER_BYTES + HANDLER_BYTES - 2,
  );
}

/** Returns where the list ends. */
function skipMembers(file: ClassFile, list: number, visit: (member: number) => void): number {
  let at = list + 2;
  for (let left = file.bytes.readUInt16BE(list); left > 0; left--) {
    visit(at);
    at = skipAttributes(file, at + MEMBER_BYTES, () => {});
  }
  return at;
}

function skipAttributes(
  { bytes }: ClassFile,
  list: number,
  visit: (attribute: number) => void,
): number {
  let at = list + 2;
  for (let left = bytes.readUInt16BE(list); left > 0; left--) {
    visit(at);
    at += ATTRIBUTE_BYTES + bytes.readUInt32BE(at + 2);
  }
  return at;
}
