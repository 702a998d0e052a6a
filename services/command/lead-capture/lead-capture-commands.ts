import { leadCaptureType } from '../../../shared/domain/entity/stock/lead-capture.ts';
import { decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';
import { sealedKey } from '../directory/user-rules.ts';
import type { Append } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asObject } from '../owner/read-body.ts';

interface CaptureOwner {
  readonly appendToDirectory: Append;
  readonly secrets: Pick<SecretBox, 'seal' | 'lookupHash'>;
}

/** Replaces the key of a capture. The sender checks the rights. */
export const renewCaptureKeyCommand = defineCommand({
  name: 'renew-capture-key',
  readBody: asObject<Record<never, never>>({}),
  execute: ({ appendToDirectory, secrets }: CaptureOwner, request) =>
    appendToDirectory(
      { ...request, model: { name: leadCaptureType } },
      {
        id: request.id,
        decide: (state) => decideUpdate(live(state, request.id), sealedKey(secrets, generateKey())),
      },
    ),
});

export const leadCaptureCommands = [renewCaptureKeyCommand] as const;
