import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { count, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import type { SystemContext } from '../context.ts';
import { type Examined, examineAll } from './examine.ts';
import { findingActions, findingLinkKinds } from './finding.ts';

const KEPT_MS = 10_000;
/** Each administrator's open console requests a quick examination every minute. */
const QUICK_KEPT_MS = 30_000;
const depths = ['full', 'quick'] as const;

/** `GET System/doctor`: the problems of the installation, and their remedies. */
export function registerDoctorRoutes(server: FastifyInstance, context: SystemContext): void {
  const { observed } = context;
  const doctor = createShared<Examined>(KEPT_MS, () => examineAll(observed, { isQuick: false }));
  const quick = createShared<Examined>(QUICK_KEPT_MS, () =>
    examineAll(observed, { isQuick: true }),
  );

  server.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/api/v1/System/doctor',
    readingFindings,
    async (request) => {
      await readOperator(context, request);
      const { depth = 'full' } = request.query;
      if (depth === 'full') return doctor();
      if (depth === 'quick') return quick();
      const message = `depth must be one of ${depths.join(', ')}.`;
      throw new Refusal('invalid', 'parameter.invalid', message);
    },
  );
}

const link = objectOf(
  { kind: { enum: findingLinkKinds }, entityType: text, id: text, name: text },
  ['kind'],
);

const remedy = objectOf(
  {
    action: { enum: findingActions },
    id: { ...text, description: 'The webhook or the rejected entry.' },
    name: text,
    count: { ...count, description: 'The number of batches that are sent again.' },
  },
  ['action'],
);

const finding = objectOf(
  {
    about: text,
    verdict: { enum: ['ok', 'warning', 'fault'] },
    code: { ...text, description: 'Identifies the text, for translations.' },
    parameters: {
      type: 'object',
      description: 'The values in the text.',
      additionalProperties: { type: ['string', 'number'] },
    },
    says: text,
    remedy: text,
    links: { type: 'array', items: link },
    remedies: { type: 'array', items: remedy, description: 'Remedies that are one request.' },
    follows: { ...text, description: 'The part whose fault explains this one' },
  },
  ['about', 'verdict', 'code', 'says'],
);

const readingFindings = describeSystemRoute({
  id: 'System_doctor',
  summary: 'Diagnose problems of the installation and their remedies',
  description:
    'The same as `annals doctor --json`, without the checks of the data directory. For administrators. It is read-only and takes seconds; the response may be ten seconds old. With `depth=quick` it does not read the log, and the response may be 30 seconds old.',
  parameters: [{ name: 'depth', in: 'query', schema: { enum: depths, default: 'full' } }],
  answer: objectOf({
    faults: count,
    warnings: count,
    findings: { type: 'array', items: finding },
  }),
  errors: ['parameter.invalid'],
});
