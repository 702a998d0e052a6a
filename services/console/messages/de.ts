import operators from './de/operators.json' with { type: 'json' };
import record from './de/record.json' with { type: 'json' };
import records from './de/records.json' with { type: 'json' };
import shell from './de/shell.json' with { type: 'json' };
import signIn from './de/signIn.json' with { type: 'json' };
import stream from './de/stream.json' with { type: 'json' };
import time from './de/time.json' with { type: 'json' };
import webhooks from './de/webhooks.json' with { type: 'json' };
import type { MessageKey } from './en.ts';

export const messages: Readonly<Record<MessageKey, string>> = {
  ...operators,
  ...record,
  ...records,
  ...shell,
  ...signIn,
  ...stream,
  ...time,
  ...webhooks,
};
