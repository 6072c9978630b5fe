import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { MessageSquare, MessageSquarePlus } from 'lucide-react';
import { useMemo } from 'react';
import { commentPins } from '../../features/comments/comment-pins';
import { Player } from '../../features/player/player';
import { toggleLoop } from '../../features/player/use-player-keys';
import { usePlayer } from '../../features/player/use-player';
import { DragToggle } from '../../features/regions/drag-toggle';
import { RegionBench } from '../../features/regions/region-bench';
import { RegionFilterMenu } from '../../features/regions/region-filter-menu';
import { RegionLayer } from '../../features/regions/region-layer';
import { VersionActions } from '../../features/versions/version-actions';
import { VersionPicker } from '../../features/versions/version-picker';
import { VersionSlots } from '../../features/versions/version-slots';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { Kbd } from '../../shared/ui/kbd';
import type { PageParts } from './project-page-data';
import type { ProjectDesk } from './project-page-desk';

interface ProjectPlayerProps {
  readonly parts: PageParts;
  readonly viewer: Viewer;
  readonly shared: ProjectDesk;
  readonly onAddVersion: () => void;
  readonly onRemoveVersion: (version: VersionView) => void;
  /** Leads to the comment box; with a tag, the selected region goes along. */
  readonly onComment: (withTag: boolean) => void;
}

function useMarks({ desk }: ProjectDesk) {
  const { shown, selected } = desk;
  return useMemo(() => shown.map(({ id, start, end, tag }) => ({ id, start, end, category: tag, isSelected: id === selected?.id })), [shown, selected]);
}

function Bench({
  shared,
  viewer,
  onComment,
  view,
}: Pick<ProjectPlayerProps, 'shared' | 'viewer' | 'onComment'> & { readonly view: Parameters<typeof RegionBench>[0]['view'] }) {
  const { store, desk } = shared;
  const isLooping = usePlayer(store, ({ loop }) => loop !== null);
  const more = () => (
    <Button size="s" variant="quiet" onPress={() => onComment(true)}>
      <Icon of={MessageSquare} size={14} />
      Comment
      <span className="only-l" aria-hidden="true">
        <Kbd>C</Kbd>
      </span>
    </Button>
  );
  return (
    <RegionBench
      desk={desk}
      view={view}
      onPlay={(region) => store.playSpan(region)}
      loop={{ isOn: isLooping, onToggle: () => toggleLoop(store, desk.selected) }}
      {...(viewer.may.comment ? { more } : {})}
    />
  );
}

/** The player with everything the page lays around it. */
export function ProjectPlayer({ parts, viewer, shared, onAddVersion, onRemoveVersion, onComment }: ProjectPlayerProps) {
  const { versions, comments } = parts;
  const { store, heard, hear, desk, lit, light } = shared;
  const marks = useMarks(shared);
  const pins = useMemo(() => commentPins(comments, heard?._id ?? null), [comments, heard]);
  const { selected } = desk;
  return (
    <>
      {heard?.rejection && (
        <div className="unplayable">
          <Banner tone="bad">Unable to load media. {heard.rejection.detail}</Banner>
        </div>
      )}
      <Player
        store={store}
        version={heard}
        marks={marks}
        selected={selected}
        pins={pins}
        selectedPin={lit?.id ?? null}
        onPin={([first]) => first && light(first.id)}
        draw={desk.pen}
        layers={(view) => <RegionLayer desk={desk} view={view} />}
        bench={(view) => <Bench shared={shared} viewer={viewer} onComment={onComment} view={view} />}
        onDoubleClick={(seconds, view) => {
          const region = desk.shown.find(({ start, end }) => seconds >= start && seconds <= end);
          if (region) view.zoomTo(region);
        }}
        versions={
          heard && (
            <>
              <VersionPicker versions={versions} heard={heard} viewer={viewer} onHear={hear} onAdd={onAddVersion} onRemove={onRemoveVersion} />
              <VersionSlots versions={versions} heard={heard} onHear={hear} />
            </>
          )
        }
        actions={<VersionActions heard={heard} viewer={viewer} onAdd={onAddVersion} />}
        filter={<RegionFilterMenu desk={desk} versions={versions} />}
        modes={<DragToggle desk={desk} />}
        keyBarEnd={viewer.may.comment ? <IconButton label="New comment here" icon={MessageSquarePlus} onPress={() => onComment(false)} /> : undefined}
      />
    </>
  );
}
