import { eventsFormat } from './events-format.ts';
import type { PayloadFormat } from './payload-format.ts';
import { recordsFormat } from './records-format.ts';

/** Every format, the default one first. A new one is a file beside this one and a line here. */
export const payloadFormats = [recordsFormat, eventsFormat] as const;

export type PayloadFormatName = (typeof payloadFormats)[number]['name'];

export const defaultFormat = recordsFormat;

/** Undefined for a name that this version does not know. */
export function findPayloadFormat(name: unknown): PayloadFormat<PayloadFormatName> | undefined {
  return payloadFormats.find((format) => format.name === name);
}

/** One that is missing or unknown means the default one. */
export function payloadFormatOf(name: unknown): PayloadFormat<PayloadFormatName> {
  return findPayloadFormat(name) ?? defaultFormat;
}
