import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { createInternalServer } from '../../shared/http/internal-server.ts';
import { joinGroup } from '../../shared/kafka/group-member.ts';
import { ensureTopics } from '../../shared/kafka/topics.ts';
import { TransactionSuperseded } from '../../shared/kafka/transactor.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { runService } from '../../shared/runtime/run-service.ts';
import { loadConfig } from './config.ts';
import { Duty } from './duty.ts';
import { startDispatching } from './start-dispatching.ts';

/** The one resource that dispatchers share: whoever has it matches, enqueues and delivers. */
const dispatching = 'dispatching';

await runService({
  name: 'dispatcher',
  env: process.env,
  loadConfig,
  async start({ config, log, lifecycle, crash }) {
    const kafka = { brokers: config.brokers, clientId: 'annals-dispatcher' };
    await keepTrying('topics', log, () => ensureTopics(kafka, config.topics, config, log));
    const follower = followDirectory(kafka, config.topics.directory, log);
    lifecycle.opened('directory', follower.close);
    await keepTrying('directory', log, follower.catchUp);

    const duty = new Duty({
      log,
      start: (onSuperseded) =>
        startDispatching({
          config,
          kafka,
          follower,
          log,
          onFailure: (error) =>
            error instanceof TransactionSuperseded ? onSuperseded() : crash(error),
        }),
    });
    const internal = createInternalServer({
      ...config.internal,
      log,
      async ready() {
        const checks = { dispatching: duty.isReady() };
        return { ready: checks.dispatching, checks };
      },
    });
    const address = await internal.listen();
    lifecycle.opened('internal listener', internal.close);
    lifecycle.opened('dispatching', () => duty.close());
    const member = joinGroup(
      kafka,
      {
        groupId: `${config.topicPrefix}.dispatchers`,
        resources: [dispatching],
        address,
        claims: () => new Map(duty.isWorking() ? [[dispatching, duty.since()]] : []),
        onAssigned: ({ mine }) => duty.assign(mine.has(dispatching)),
      },
      log,
    );
    // First of all, so that another one begins at once.
    lifecycle.opened('group', member.close);
  },
});
