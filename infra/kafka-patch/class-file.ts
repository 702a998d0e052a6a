/**
 * Modifies compiled Java classes (Java Virtual Machine Specification, chapter 4). Supports only the changes that the
 * patches for brokers need.
 */
/**
 * Tags in the constant pool, grouped by the number of bytes that follow them. For a text, these are followed by the
 * bytes of the text.
 */
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
const METHOD = 10;
const NAME_AND_TYPE = 12;
/** The constant pool follows the magic number and the version. */
const POOL_AT = 8;
/** Access flags, name and descriptor, which precede the attributes of a field or method. */
const MEMBER_BYTES = 6;
/** Name and length of an attribute. */
const ATTRIBUTE_BYTES = 6;
const HANDLER_BYTES = 8;

interface ClassFile {
  readonly bytes: Buffer;
  readonly texts: ReadonlyMap<number, string>;
  /** Class names by constant index. */
  readonly classes: ReadonlyMap<number, string>;
  /** The end of the constant pool. */
  readonly body: number;
}

/**
 * Returns the class with the `catch (caught)` in `method` changed to catch `instead`, a class that the code already
 * refers to. Throws an Error unless the method has exactly one such handler.
 */
export function retargetCatch(
  original: Uint8Array,
  { method, caught, instead }: Readonly<Record<'method' | 'caught' | 'instead', string>>,
): Buffer {
  const file = readClassFile(Buffer.from(original));
  const [number] = [...file.classes].find(([, name]) => name === instead) ?? [];
  const handlers = findCode(file, method)
    .flatMap((attribute) => handlersOf(file.bytes, attribute + ATTRIBUTE_BYTES))
    .filter((at) => file.classes.get(file.bytes.readUInt16BE(at)) === caught);
  const [handler] = handlers;
  if (number === undefined || handler === undefined || handlers.length > 1) {
    throw new Error(`${method} has ${handlers.length} handlers of ${caught}, expected exactly one`);
  }
  file.bytes.writeUInt16BE(number, handler);
  return file.bytes;
}

/**
 * Returns the class with `method` changed to rethrow an error `caught` as the cause of an `instead`, whose constructor
 * takes a cause. The class must not refer to either of them yet. Throws an Error unless there is exactly one such
 * method and it has no branches or handlers.
 */
export function rethrowAs(
  original: Uint8Array,
  {
    method,
    descriptor,
    caught,
    instead,
  }: Readonly<Record<'method' | 'descriptor' | 'caught' | 'instead', string>>,
): Buffer {
  const file = readClassFile(Buffer.from(original));
  const { bytes, body } = file;
  const [attribute, ...others] = findCode(file, method, descriptor);
  if (attribute === undefined || others.length > 0) throw new Error(`no ${method}${descriptor}`);
  const code = attribute + ATTRIBUTE_BYTES;
  const length = bytes.readUInt32BE(code + 4);
  if (bytes.readUInt16BE(code + 8 + length) !== 0) throw new Error(`${method} has a handler`);
  skipAttributes(file, code + 8 + length + 2, (one) => {
    // Only methods with branches have this attribute, which describes the branch targets.
    if (file.texts.get(bytes.readUInt16BE(one)) === 'StackMapTable')
      throw new Error(`${method} has branches`);
  });
  const end = code + bytes.readUInt32BE(attribute + 2);

  const first = bytes.readUInt16BE(POOL_AT);
  // `first` is the index of the first new constant.
  const constants = [
    ...[text(caught), constant(CLASS, first)],
    ...[text(instead), constant(CLASS, first + 2)],
    ...[text('<init>'), text('(Ljava/lang/Throwable;)V')],
    constant(NAME_AND_TYPE, first + 4, first + 5),
    constant(METHOD, first + 3, first + 6),
    text('StackMapTable'),
  ];
  // new, dup_x1, swap, invokespecial, athrow: the error on the stack becomes the cause of the new one.
  const handler = [0xbb, ...int16(first + 3), 0x5a, 0x5f, 0xb7, ...int16(first + 7), 0xbf];
  const HANDLER_STACK = 3;
  // The stack frame at the handler: the parameters, and the error on the stack.
  const frame = [247, ...int16(length), 7, ...int16(first + 1)];
  const newCode = Buffer.from([
    ...int16(Math.max(bytes.readUInt16BE(code), HANDLER_STACK)),
    ...bytes.subarray(code + 2, code + 4),
    ...int32(length + handler.length),
    ...bytes.subarray(code + 8, code + 8 + length),
    ...handler,
    ...[...int16(1), ...int16(0), ...int16(length), ...int16(length), ...int16(first + 1)],
    ...[...int16(1), ...int16(first + 8), ...int32(2 + frame.length), ...int16(1), ...frame],
  ]);
  return Buffer.concat([
    bytes.subarray(0, POOL_AT),
    int16(first + constants.length),
    bytes.subarray(POOL_AT + 2, body),
    ...constants,
    bytes.subarray(body, attribute + 2),
    int32(newCode.length),
    newCode,
    bytes.subarray(end),
  ]);
}

const constant = (tag: number, ...numbers: readonly number[]): Buffer =>
  Buffer.concat([Buffer.of(tag), ...numbers.map(int16)]);
const text = (value: string): Buffer =>
  Buffer.concat([constant(TEXT, value.length), Buffer.from(value)]);

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
    // These constants take up two indexes.
    if (tag === LONG || tag === DOUBLE) number += 1;
  }
  const classes = new Map([...named].map(([number, text]) => [number, texts.get(text) ?? '']));
  return { bytes, texts, classes, body: at };
}

/** Returns the position of the code attribute of each method with this name. */
function findCode(file: ClassFile, method: string, descriptor?: string): readonly number[] {
  const { bytes, texts, body } = file;
  const interfaces = body + MEMBER_BYTES;
  const fields = skipMembers(file, interfaces + 2 + 2 * bytes.readUInt16BE(interfaces), () => {});
  const found: number[] = [];
  skipMembers(file, fields, (member) => {
    const [name, type] = [2, 4].map((at) => texts.get(bytes.readUInt16BE(member + at)));
    if (name !== method || (descriptor ?? type) !== type) return;
    skipAttributes(file, member + MEMBER_BYTES, (attribute) => {
      if (texts.get(bytes.readUInt16BE(attribute)) === 'Code') found.push(attribute);
    });
  });
  return found;
}

/** Returns, for each exception handler in the code, the position of the class that it catches. */
function handlersOf(bytes: Buffer, code: number): readonly number[] {
  // The sizes of the stack and of the local variables come first, then the instructions.
  const table = code + 4 + 4 + bytes.readUInt32BE(code + 4);
  return Array.from(
    { length: bytes.readUInt16BE(table) },
    (_, index) => table + 2 + index * HANDLER_BYTES + HANDLER_BYTES - 2,
  );
}

/** Visits every member, and returns the position after the list. */
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

/** Big-endian, like all numbers in a class file. */
function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
