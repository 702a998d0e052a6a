import records from './en/records.json' with { type: 'json' };
import shell from './en/shell.json' with { type: 'json' };
import signIn from './en/signIn.json' with { type: 'json' };

export const messages = { ...records, ...shell, ...signIn };

export type MessageKey = keyof typeof messages;
