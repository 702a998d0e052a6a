import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import { parseJson } from '../../domain/value/parse-json.ts';
import { findJsonError } from './find-json-error.ts';

/** Deeper than any record, and shallow enough for a recursive walk of the body. */
const MAX_DEPTH = 512;

/** Some Windows clients send a byte order mark. */
const BYTE_ORDER_MARK = /^\uFEFF/;

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Parses JSON bodies of these media types in UTF-8. Parses an empty body of any type as undefined, because clients send
 * DELETE and POST with `Content-Type: application/json` and no body.
 */
export function addJsonBodyParser(
  server: FastifyInstance,
  mediaTypes: readonly string[] = ['application/json'],
): void {
  server.removeAllContentTypeParsers();
  // Registered by name in addition to the catch-all, because Fastify finds a named parser without parsing the type
  // again.
  for (const contentType of [...mediaTypes, '*']) {
    server.addContentTypeParser(
      contentType,
      { parseAs: 'buffer' },
      (request: FastifyRequest, bytes: Buffer, done: Done) => {
        done(null, parseBody(request, bytes, mediaTypes));
      },
    );
  }
}

/**
 * Removes the content type of a request without a body, because Fastify checks the type before the length, and rejects
 * a type that it cannot parse.
 */
export function dropTypeOfMissingBody(headers: IncomingHttpHeaders): void {
  const contentType = headers['content-type'];
  const isOdd = contentType !== undefined && contentType !== 'application/json';
  if (isOdd && hasNoBody(headers)) delete headers['content-type'];
}

function hasNoBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] === undefined && (length === undefined || length === '0');
}

/** Fastify responds with the error thrown here. */
function parseBody(
  { headers }: FastifyRequest,
  bytes: Buffer,
  mediaTypes: readonly string[],
): unknown {
  if (bytes.length === 0) return undefined;
  requireJson(headers, mediaTypes);
  return readText(bytes);
}

function requireJson(headers: IncomingHttpHeaders, mediaTypes: readonly string[]): void {
  const { 'content-type': contentType = '', 'content-encoding': contentEncoding = 'identity' } =
    headers;
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!mediaTypes.includes(mediaType)) {
    const message = `Content type '${contentType}' is not supported. Send application/json.`;
    throw new Refusal('unsupported_media_type', 'body.content_type', message);
  }
  if (contentEncoding.toLowerCase() !== 'identity') {
    const message = `Content encoding '${contentEncoding}' is not supported. Send the body uncompressed.`;
    throw new Refusal('unsupported_media_type', 'body.content_encoding', message);
  }
}

function readText(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  const text = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
  const value = parseText(text);
  // More than 512 levels need over a thousand bracket characters.
  if (text.length > 2 * MAX_DEPTH && isDeeperThan(value, MAX_DEPTH)) {
    const message = `The body is nested over ${MAX_DEPTH} levels deep.`;
    throw new Refusal('invalid', 'body.too_deep', message);
  }
  return value;
}

function parseText(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const position = findJsonError(text);
    throw malformed(
      position === text.length
        ? `it ends too early, at position ${position}`
        : `unexpected text at position ${position}`,
    );
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

function malformed(reason: string): Refusal {
  return new Refusal('invalid', 'body.malformed', `The body is not valid JSON: ${reason}.`);
}
