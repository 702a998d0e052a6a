import records from './de/records.json' with { type: 'json' };
import shell from './de/shell.json' with { type: 'json' };
import signIn from './de/signIn.json' with { type: 'json' };
import type { MessageKey } from './en.ts';

export const messages: Readonly<Record<MessageKey, string>> = { ...records, ...shell, ...signIn };
