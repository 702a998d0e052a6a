import { randomBytes } from 'node:crypto';
import { validationFailure } from '../../../shared/domain/errors.ts';
import { HOUR_MS } from '../../../shared/domain/mail/queued-email.ts';
import { requireWithinLimits } from '../../../shared/domain/mail/require-within-limits.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { acceptedLanguage } from '../../../shared/http/accepted-language.ts';
import type { CommandContext } from '../context.ts';
import { emailTexts } from '../mail/email-texts.ts';
import { isAddress, queueContent, recipientHashOf, requireMail } from '../mail/queue-email.ts';
import { bySystem } from '../owner/command.ts';
import { readNewInput } from '../records/input/read-values.ts';
import {
  type Captured,
  captureLead,
  creationConditions,
  isSubscribed,
  requireModel,
} from './capture-lead.ts';
import { leadOptInType, requestOptInCommand } from './opt-in-commands.ts';
import { fillTemplate, readTemplate } from './opt-in-template.ts';

const LINK_ID_BYTES = 16;
/** Applies if the lifetime is 0 or empty, as in EspoCRM. */
const USUAL_HOURS = 100;

/** A form whose e-mail address has to be confirmed. */
interface OptInRequest extends Omit<Captured, 'optIn'> {
  readonly captureId: string;
  readonly acceptLanguage: string | undefined;
}

/**
 * Stores the values of a form and sends the visitor a link that confirms them. The opt-in is stored before the e-mail is
 * queued: if the process dies in between, the visitor gets an error, and the opt-in expires unused.
 */
export async function requestOptIn(request: OptInRequest, context: CommandContext): Promise<void> {
  const { capture, captureId, values, deadline } = request;
  const { clock, config, directory, secrets, sender } = context;
  const { siteUrl } = requireMail(config);
  const to = readAddress(request, context);
  const linkId = randomBytes(LINK_ID_BYTES).toString('hex');
  const id = optInIdOf(context, linkId);
  const skips = capture['skipOptInConfirmationIfSubscribed'] === true;
  if (skips && (await isSubscribed(request, context))) {
    const subscribed = { id, isConfirmed: true, endsOptOut: false };
    return captureLead({ ...request, optIn: subscribed }, context);
  }
  // The owner of the directory checks the limits again. This check precedes the first change.
  const recipientHash = recipientHashOf(context, to);
  requireWithinLimits(directory.emails.recent(), { kind: 'optIn', recipientHash }, clock.now());
  const hours = lifetimeOf(capture);
  const expiresAtMs = clock.now() + hours * HOUR_MS;
  const template = await readTemplate(capture, context);
  await sender.send(requestOptInCommand, {
    ...bySystem,
    model: requireModel(context, leadOptInType),
    id,
    body: { captureId, content: secrets.seal(JSON.stringify(values)), expiresAtMs },
    deadline,
  });
  if (capture['createLeadBeforeOptInConfirmation'] === true) {
    const unconfirmed = { id, isConfirmed: false, endsOptOut: false };
    await captureLead({ ...request, optIn: unconfirmed }, context);
  }
  const link = `${siteUrl}/?entryPoint=confirmOptIn&id=${linkId}`;
  const usual = emailTexts[acceptedLanguage(request.acceptLanguage) ?? 'en'].optIn({ link, hours });
  const filled = fillTemplate(template, { usual, link, now: clock.now() });
  const email = { kind: 'optIn', userId: null, passwordRequest: null, finding: null } as const;
  await queueContent(context, { to, ...filled }, { ...email, expiresAtMs });
}

/** Returns the id of the record of an opt-in, from which the link cannot be derived. */
export function optInIdOf({ secrets }: Pick<CommandContext, 'secrets'>, linkId: string): string {
  return secrets.tokenHash(`opt-in ${linkId}`);
}

/** Throws if the values cannot become a lead, so that visitors see this when they send the form. */
function readAddress({ values }: OptInRequest, context: CommandContext): string {
  const model = requireModel(context, 'Lead');
  const { actor } = bySystem;
  const { emailAddress } = readNewInput(
    { actor, model, body: values, conditions: creationConditions },
    context,
  );
  if (isAddress(emailAddress)) return emailAddress;
  const isMissing = emailAddress === null || emailAddress === undefined;
  throw validationFailure('Lead', [
    isMissing
      ? { field: 'emailAddress', type: 'required', message: 'emailAddress is required.' }
      : {
          field: 'emailAddress',
          type: 'emailAddress',
          message: 'emailAddress is not an address to which an e-mail can be sent.',
        },
  ]);
}

function lifetimeOf({ optInConfirmationLifetime: hours }: AttributeValues): number {
  return typeof hours === 'number' && hours > 0 ? hours : USUAL_HOURS;
}
