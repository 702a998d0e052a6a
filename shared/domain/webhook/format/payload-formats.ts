import { eventsFormat } from './events-format.ts';
import type { PayloadFormat } from './payload-format.ts';
import { recordsFormat } from './records-format.ts';

/** All formats, starting with the default. To add one, create a file next to this one and list it here. */
export const payloadFormats = [recordsFormat, eventsFormat] as const;

export type PayloadFormatName = (typeof payloadFormats)[number]['name'];

export const defaultFormat = recordsFormat;

/** Returns undefined if this version does not support the format. */
export function findPayloadFormat(name: unknown): PayloadFormat<PayloadFormatName> | undefined {
  return payloadFormats.find((format) => format.name === name);
}

/** Falls back to the default format if the name is missing or unknown. */
export function payloadFormatOf(name: unknown): PayloadFormat<PayloadFormatName> {
  return findPayloadFormat(name) ?? defaultFormat;
}
