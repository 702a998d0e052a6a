import type { FastifyInstance } from 'fastify';
import { count, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import type { SystemContext } from '../context.ts';
import { type Examined, examineAll } from './examine.ts';

const KEPT_MS = 10_000;

/** `GET System/doctor`: problems of the installation and their remedies. */
export function registerDoctorRoutes(server: FastifyInstance, context: SystemContext): void {
  const doctor = createShared<Examined>(KEPT_MS, () => examineAll(context.observed));

  server.get('/api/v1/System/doctor', readingFindings, async (request) => {
    await readOperator(context, request);
    return doctor();
  });
}

const finding = objectOf(
  {
    about: text,
    verdict: { enum: ['ok', 'warning', 'fault'] },
    says: text,
    remedy: text,
    follows: { ...text, description: 'The part whose fault explains this one' },
  },
  ['about', 'verdict', 'says'],
);

const readingFindings = describeSystemRoute({
  id: 'System_doctor',
  summary: 'Diagnose problems of the installation and their remedies',
  description:
    'The same as `annals doctor --json`, without the checks of the data directory. For administrators. It is read-only and takes seconds; the response may be ten seconds old.',
  answer: objectOf({
    faults: count,
    warnings: count,
    findings: { type: 'array', items: finding },
  }),
});
