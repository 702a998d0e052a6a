import type { AttributeValue } from '../../../value/attribute-values.ts';
import { type AttributeRule, type Report, refuse, tooMany } from '../../attribute-rule.ts';

const MAX_REMINDERS = 10;
const reminderTypes = ['Popup', 'Email'] as const;

export const remindersSchema = {
  type: ['array', 'null'],
  maxItems: MAX_REMINDERS,
  items: {
    type: 'object',
    required: ['type', 'seconds'],
    properties: { type: { enum: reminderTypes }, seconds: { type: 'integer', minimum: 0 } },
  },
};

/** Reads a list of reminders. Other properties of a reminder are dropped. */
export function readReminders(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): AttributeValue | undefined {
  if (value === null) return null;
  if (!Array.isArray(value)) return refuse(rule, notReminders, report);
  if (value.length > MAX_REMINDERS) {
    return refuse(rule, tooMany(MAX_REMINDERS, 'reminder'), report);
  }
  const read = value.map((entry: unknown) => {
    const { type, seconds } = Object(entry);
    const known = reminderTypes.find((one) => one === type);
    const isTime = Number.isSafeInteger(seconds) && seconds >= 0;
    return known === undefined || !isTime ? undefined : { type: known, seconds: Number(seconds) };
  });
  const valid = read.filter((entry) => entry !== undefined);
  return valid.length === read.length ? valid : refuse(rule, notReminders, report);
}

const notReminders = {
  type: 'valid',
  requirement:
    'must be a list of reminders such as {"type": "Popup", "seconds": 600}; type is Popup or Email, and seconds is an integer of at least 0',
} as const;
