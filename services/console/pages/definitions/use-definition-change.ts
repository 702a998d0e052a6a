import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useText } from '../../language/language.tsx';

/** Changes the data model, and then invalidates all loaded data. */
export function useDefinitionChange<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  onDone?: (input: Input, result: Result) => void,
) {
  const t = useText();
  const reload = useReload();
  return useMutation({
    mutationFn: act,
    onSuccess: async (result, input) => {
      await reload();
      notifications.show({ message: t('record.saved') });
      onDone?.(input, result);
    },
  });
}

export function useReload(): () => Promise<void> {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}
