import { createCommand } from './create.ts';
import { linkCommand, unlinkCommand } from './link.ts';
import { removeCommand } from './remove.ts';
import { restoreCommand } from './restore.ts';
import { updateCommand } from './update.ts';

export const recordCommands = [
  createCommand,
  updateCommand,
  removeCommand,
  restoreCommand,
  linkCommand,
  unlinkCommand,
] as const;
