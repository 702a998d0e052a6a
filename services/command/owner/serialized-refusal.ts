import { Refusal, type RefusalKind } from '../../../shared/domain/errors.ts';
import { asJson, asObject, asText, type JsonObject } from './read-body.ts';

/** A refusal as JSON. JSON.stringify would drop the message of an error. */
export interface SerializedRefusal {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const readSerializedRefusal = asObject<SerializedRefusal>({
  kind: asText,
  code: asText,
  message: asText,
  detail: asJson,
});

/** Instances of earlier versions send a command whose plan was refused with the refusal as its body. */
export function throwRefusalIn({ refusal }: JsonObject): void {
  if (refusal !== undefined) throw toRefusal(readSerializedRefusal(refusal, 'refusal'));
}

export function serializeRefusal({ kind, code, message, detail }: Refusal): SerializedRefusal {
  return { kind, code, message, detail: { ...detail } };
}

export function toRefusal({ kind, code, message, detail }: SerializedRefusal): Refusal {
  return new Refusal(kind as RefusalKind, code, message, detail);
}
