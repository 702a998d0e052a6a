import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { randomHex } from '../../api/client.ts';
import { type AnyRecord, updateRecord } from '../../api/records.ts';
import { untilWritten, useMarkUnread } from '../../api/write.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { useUndo } from '../../undo/use-undo.tsx';

export const completedStatus = 'Completed';

/** Completes a task, and offers to undo it. */
export function useCompleteTask(task: AnyRecord) {
  const t = useText();
  const queries = useQueryClient();
  const undo = useUndo();
  const markUnread = useMarkUnread();
  const place = { entity: 'Task', id: task.id };
  const name = String(task['name'] ?? task.id);
  return useMutation({
    mutationFn: async () =>
      untilWritten(updateRecord({ ...place, key: randomHex(16) }, { status: completedStatus })),
    async onSuccess(written) {
      if (written.kind === 'readable') await undo.afterUpdate(place, { status: task['status'] });
      else void markUnread({ ...place, name, token: written.token });
    },
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: t('home.notCompleted', { name }),
        message: <ErrorDetails error={error} />,
      }),
    onSettled: async () => queries.invalidateQueries({ queryKey: ['records'] }),
  });
}
