import type { CommandContext } from '../../../services/command/context.ts';
import type { Command, CommandAnswer } from '../../../services/command/owner/command.ts';
import type { CommandDefinition } from '../../../services/command/owner/define-command.ts';
import { CommandSender } from '../../../services/command/owner/send-to-owner.ts';
import type { PartitionWriter } from '../../../services/command/writer/partition-writer.ts';
import type { Submission, Written } from '../../../services/command/writer/submission.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';

type Parts = Readonly<Partial<Record<keyof CommandContext | 'inTurn' | 'signal', unknown>>>;

/** Returns a context with these parts. Reading any other part throws, which shows what a test has to provide. */
export function commandContext(parts: Parts): CommandContext {
  return new Proxy(parts, {
    get(target, name) {
      if (Reflect.has(target, name)) return Reflect.get(target, name);
      throw new Error(`the context of this test has no ${String(name)}`);
    },
  }) as CommandContext;
}

/** Returns a sender that passes every command to `send`. */
export function senderOf(
  send: (definition: CommandDefinition, command: Command<object>) => Promise<CommandAnswer>,
): CommandSender {
  class RecordingSender extends CommandSender {
    override send<Body extends object>(
      definition: CommandDefinition<string, Body>,
      command: Command<NoInfer<Body>>,
    ): Promise<CommandAnswer> {
      return send(definition, command);
    }
  }
  return new RecordingSender(() => commandContext({}));
}

/** A writer that decides at the time 0. */
export const aWriter = { token: 't', now: 0 };

/** Decides on a state as a writer does. */
export function decideOn(state: RecordState | undefined, submission: Submission) {
  submission.requireRights?.();
  return submission.decide(state, aWriter);
}

/** Returns a writer that passes every submission to `submit`. */
export function writerOf(submit: (submission: Submission) => Promise<Written>): PartitionWriter {
  const writer: Partial<PartitionWriter> = { submit };
  return writer as PartitionWriter;
}
