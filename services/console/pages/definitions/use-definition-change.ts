import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useText } from '../../language/language.tsx';

/** Changes definitions; all that was loaded may be another thing then. */
export function useDefinitionChange<Asked = void, Result = unknown>(
  act: (asked: Asked) => Promise<Result>,
  onDone?: (asked: Asked, result: Result) => void,
) {
  const t = useText();
  const reload = useReload();
  return useMutation({
    mutationFn: act,
    onSuccess: async (result, asked) => {
      await reload();
      notifications.show({ message: t('record.saved') });
      onDone?.(asked, result);
    },
  });
}

export function useReload(): () => Promise<void> {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}
