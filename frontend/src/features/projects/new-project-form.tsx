import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { PeoplePicker } from '../../shared/people/people-picker';
import { Switch } from '../../shared/ui/switch';
import { TextArea } from '../../shared/ui/text-area';
import { TextField } from '../../shared/ui/text-field';
import { MentionBox } from '../../shared/writing/mention-box';
import { type DraftErrors, mentionablesIn, type NewProjectDraft } from './new-project-draft';

interface FieldsProps {
  readonly draft: NewProjectDraft;
  readonly onChange: (change: Partial<NewProjectDraft>) => void;
  readonly errors: DraftErrors;
  readonly isLocked: boolean;
  readonly onSubmit: () => void;
}

/** People to invite once the first version is added. */
function Invited({ draft, onChange, errors, viewer }: FieldsProps & { readonly viewer: Uid }) {
  return (
    <>
      <PeoplePicker label="Invite people" selected={draft.people} onChange={(people) => onChange({ people })} exclude={[viewer]} />
      {draft.people.length > 0 && (
        <>
          <Switch label="Write access" isSelected={draft.writeAccess} onChange={(writeAccess) => onChange({ writeAccess })} />
          <TextArea
            label="Message"
            placeholder="Add a message, up to 140 characters"
            value={draft.message}
            onChange={(message) => onChange({ message })}
            {...(errors.message === undefined ? {} : { error: errors.message })}
          />
        </>
      )}
    </>
  );
}

/** The form's fields, except the file. */
export function NewProjectFields(props: FieldsProps & { readonly viewer: Uid; readonly isContinued: boolean }) {
  const { draft, onChange, errors, isLocked, onSubmit, isContinued } = props;
  return (
    <>
      {!isContinued && (
        <TextField
          label="Title"
          value={draft.title}
          onChange={(title) => onChange({ title })}
          error={errors.title}
          isDisabled={isLocked}
          autoFocus
          autoComplete="off"
        />
      )}
      <MentionBox
        label="Tiny summary"
        isOneLine
        placeholder="Initial Version"
        people={mentionablesIn(draft)}
        value={draft.tinySummary}
        onChange={(tinySummary) => onChange({ tinySummary })}
        limit={LIMITS.tinySummary}
        error={errors.tinySummary ?? null}
        isDisabled={isLocked}
        onSubmit={onSubmit}
      />
      {!isContinued && (
        <>
          <TextArea
            label="Description"
            value={draft.description}
            onChange={(description) => onChange({ description })}
            error={errors.description}
            isDisabled={isLocked}
          />
          <TextField label="Project type" value="Audio" onChange={() => undefined} isDisabled />
        </>
      )}
      {!isContinued && !isLocked && <Invited {...props} />}
    </>
  );
}
