import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { Check } from 'lucide-react';
import { errorMessage } from '../../shared/api/api-errors';
import { useProject } from '../../shared/project/project-context';
import { Button } from '../../shared/ui/button';
import { useToast } from '../../shared/ui/toast-queue';
import { useCompleteTodos } from './todos.queries';

interface CompleteButtonProps {
  readonly marked: readonly Id[];
  readonly onCompleted: () => void;
}

const todos = (count: number) => (count === 1 ? '1 todo' : `${count} todos`);

/** Completes the marked todos under the current version, which is the last one. */
export function CompleteButton({ marked, onCompleted }: CompleteButtonProps) {
  const { projectId, versions } = useProject();
  const toaster = useToast();
  const complete = useCompleteTodos(projectId);
  const current = versions.at(-1) ?? null;
  const inVersion = current === null ? '' : ` in ${versionNumber(current)}`;
  if (marked.length === 0) return null;
  const press = () =>
    complete.mutate(
      { ids: marked, versionId: current?._id ?? null },
      {
        onSuccess: () => {
          toaster.show({ kind: 'done', message: `Completed ${todos(marked.length)}${inVersion}.` });
          onCompleted();
        },
        onError: (error) => toaster.show({ kind: 'failed', message: errorMessage(error), action: { label: 'Retry', onPress: press } }),
      },
    );
  return (
    <Button variant="primary" size="s" icon={Check} isPending={complete.isPending} onPress={press}>
      Complete {marked.length}
      {inVersion}
    </Button>
  );
}
