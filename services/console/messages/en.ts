import operators from './en/operators.json' with { type: 'json' };
import record from './en/record.json' with { type: 'json' };
import records from './en/records.json' with { type: 'json' };
import shell from './en/shell.json' with { type: 'json' };
import signIn from './en/signIn.json' with { type: 'json' };
import stream from './en/stream.json' with { type: 'json' };
import time from './en/time.json' with { type: 'json' };
import webhooks from './en/webhooks.json' with { type: 'json' };

export const messages = {
  ...operators,
  ...record,
  ...records,
  ...shell,
  ...signIn,
  ...stream,
  ...time,
  ...webhooks,
};

export type MessageKey = keyof typeof messages;
