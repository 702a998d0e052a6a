import { leadCaptureType } from '../../../shared/domain/entity/stock/lead-capture.ts';
import { decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import { sealedKey } from '../directory/user-rules.ts';
import { appendToDirectory } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asObject } from '../owner/read-body.ts';

/** Replaces the key of a capture. The sender checks the permissions. */
export const renewCaptureKeyCommand = defineCommand({
  name: 'renew-capture-key',
  readBody: asObject<Record<never, never>>({}),
  execute: (context, request) =>
    appendToDirectory(
      context,
      { ...request, model: { name: leadCaptureType } },
      {
        id: request.id,
        decide: (state) =>
          decideUpdate(live(state, request.id), sealedKey(context.secrets, generateKey())),
      },
    ),
});

export const leadCaptureCommands = [renewCaptureKeyCommand] as const;
