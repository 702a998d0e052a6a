import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { count, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import type { SystemContext } from '../context.ts';
import { findingActions, findingLinkKinds } from './finding.ts';

const depths = ['full', 'quick'] as const;

/** `GET System/doctor`: the problems of the installation, and their remedies. */
export function registerDoctorRoutes(server: FastifyInstance, context: SystemContext): void {
  server.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/api/v1/System/doctor',
    readingFindings,
    async (request) => {
      await readOperator(context, request);
      const { depth = 'full' } = request.query;
      if (depth === 'full') return context.doctor.full();
      if (depth === 'quick') return context.doctor.quick();
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
    id: { ...text, description: 'Identifies a warning that can be acknowledged.' },
    acknowledged: objectOf({
      reason: text,
      byId: text,
      byName: nullableText,
      at: { ...text, format: 'date-time' },
    }),
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
    warnings: { ...count, description: 'Without acknowledged ones.' },
    acknowledged: count,
    findings: { type: 'array', items: finding },
  }),
  errors: ['parameter.invalid'],
});
