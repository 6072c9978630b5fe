import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import { mayAddTodo } from '@roughmix/contracts/todos/todo.access.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { ListChecks, type LucideIcon, MessageSquare, MessageSquarePlus } from 'lucide-react';
import { useMemo } from 'react';
import type { Pin } from '../../features/player/pin-groups';
import { Player } from '../../features/player/player';
import type { PlayerStore } from '../../features/player/player-state';
import { PostRange } from '../../features/player/post-range';
import { toggleLoop } from '../../features/player/use-player-keys';
import { usePlayer } from '../../features/player/use-player';
import { DragToggle } from '../../features/regions/drag-toggle';
import { type PanelView, RegionPanel } from '../../features/regions/region-panel';
import { RegionFilterMenu } from '../../features/regions/region-filter-menu';
import { RegionLayer } from '../../features/regions/region-layer';
import { type ShownRegion, TEMP_REGION } from '../../features/regions/shown-region';
import { StampMark } from '../../features/regions/stamp-mark';
import type { RegionEditor } from '../../features/regions/use-region-editor';
import { VersionActions } from '../../features/versions/version-actions';
import { VersionPicker } from '../../features/versions/version-picker';
import { VersionSlots } from '../../features/versions/version-slots';
import { postPins } from '../../shared/posts/post-pins';
import { useSelectedVersion, useProject } from '../../shared/project/project-context';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { Kbd } from '../../shared/ui/kbd';
import { RegionPosts } from './project-page-region-posts';
import type { PageSelection } from './project-page-selection';
import type { ProjectEditing } from './project-page-view';

interface ProjectPlayerProps {
  readonly store: PlayerStore;
  readonly editor: RegionEditor;
  readonly comments: readonly CommentView[];
  readonly todos: readonly TodoView[];
  readonly selection: PageSelection;
  readonly editing: ProjectEditing;
}

function useMarks({ shown }: RegionEditor) {
  return useMemo(() => shown.map(({ id, start, end, tag }) => ({ id, start, end, category: tag })), [shown]);
}

function WriteButton({
  icon,
  label,
  shortcut,
  onPress,
}: {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly shortcut: string;
  readonly onPress: () => void;
}) {
  return (
    <Button size="s" variant="quiet" onPress={onPress}>
      <Icon of={icon} size={14} />
      {label}
      <span className="only-l" aria-hidden="true">
        <Kbd>{shortcut}</Kbd>
      </span>
    </Button>
  );
}

function SelectedRegionPanel({ store, editor, comments, todos, editing, view }: Omit<ProjectPlayerProps, 'selection'> & { readonly view: PanelView }) {
  const { viewer } = useProject();
  const isLooping = usePlayer(store, ({ loop }) => loop !== null);
  const more = ({ id }: ShownRegion) => (
    <>
      <RegionPosts regionId={id} comments={comments} todos={todos} />
      {mayWriteComment(viewer) && <WriteButton icon={MessageSquare} label="Comment" shortcut="C" onPress={() => editing.comment(true)} />}
      {mayAddTodo(viewer) && <WriteButton icon={ListChecks} label="Todo" shortcut="T" onPress={() => editing.todo(true)} />}
    </>
  );
  return (
    <RegionPanel
      editor={editor}
      view={view}
      onPlay={(region) => store.playSpan(region)}
      loop={{ isOn: isLooping, onToggle: () => toggleLoop(store, editor.selected) }}
      more={more}
    />
  );
}

function Versions({ store, editing }: Pick<ProjectPlayerProps, 'store' | 'editing'>) {
  const { versions, viewer, goTo } = useProject();
  const selectedVersion = useSelectedVersion();
  const playingId = usePlayer(store, ({ playingVersionId }) => playingVersionId);
  const loadingId = usePlayer(store, ({ loadingVersionId }) => loadingVersionId);
  if (selectedVersion === null) return null;
  const onSelectVersion = (versionId: string) => goTo({ versionId });
  return (
    <>
      <VersionPicker
        versions={versions}
        selectedVersion={selectedVersion}
        viewer={viewer}
        onSelectVersion={onSelectVersion}
        onAdd={editing.addVersion}
        onRemove={editing.removeVersion}
      />
      <VersionSlots versions={versions} selectedVersion={selectedVersion} playingId={playingId} loadingId={loadingId} onSelectVersion={onSelectVersion} />
    </>
  );
}

/** Pressing a group of pins again selects the next one. */
const nextPin = (group: readonly Pin[], selectedId: string | null) => group[(group.findIndex(({ id }) => id === selectedId) + 1) % group.length];

/** The player with the versions, regions and comments around it. */
export function ProjectPlayer({ store, editor, comments, todos, selection, editing }: ProjectPlayerProps) {
  const { versions, viewer, goTo } = useProject();
  const selectedVersion = useSelectedVersion();
  const marks = useMarks(editor);
  const goToPin = (pin: Pin | undefined) => pin && goTo(pin.kind === 'todo' ? { todoId: pin.id } : { commentId: pin.id });
  const pins = useMemo(() => {
    const versionId = selectedVersion?._id ?? null;
    return [...postPins('comment', comments, versionId), ...postPins('todo', todos, versionId)];
  }, [comments, todos, selectedVersion]);
  return (
    <>
      {selectedVersion?.rejection && (
        <div className="unplayable">
          <Banner tone="bad">Unable to load media. {selectedVersion.rejection.detail}</Banner>
        </div>
      )}
      <Player
        store={store}
        version={selectedVersion}
        allVersions={versions}
        onSelectVersion={(versionId) => goTo({ versionId })}
        marks={marks}
        selected={editor.selected ?? selection.span}
        pins={pins}
        selectedPin={selection.postId}
        onPin={(group) => goToPin(nextPin(group, selection.postId))}
        draw={editor.drawHandlers}
        layers={(view) => (
          <>
            <RegionLayer editor={editor} view={view} />
            {editor.tagging.current?.regionId !== TEMP_REGION && <StampMark scale={view.scale} />}
            {selection.span !== null && <PostRange span={selection.span} view={view} />}
          </>
        )}
        panel={(view) => <SelectedRegionPanel store={store} editor={editor} comments={comments} todos={todos} editing={editing} view={view} />}
        onDoubleClick={(seconds, view) => {
          const region = editor.shown.find(({ start, end }) => seconds >= start && seconds <= end);
          if (region) view.zoomTo(region);
        }}
        versions={<Versions store={store} editing={editing} />}
        actions={<VersionActions selectedVersion={selectedVersion} viewer={viewer} onAdd={editing.addVersion} />}
        filter={<RegionFilterMenu editor={editor} versions={versions} />}
        modes={<DragToggle editor={editor} />}
        keyBarEnd={
          mayWriteComment(viewer) ? <IconButton label="New comment here" icon={MessageSquarePlus} onPress={() => editing.comment(false)} /> : undefined
        }
      />
    </>
  );
}
