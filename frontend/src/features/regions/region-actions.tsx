import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import type { ReactNode } from 'react';
import { ChevronLeft, ChevronRight, CornerLeftUp, Link, Play, Repeat, Trash2 } from 'lucide-react';
import { errorMessage } from '../../shared/api/api-errors';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { useToast } from '../../shared/ui/toast-queue';
import { useCopyLink } from '../../shared/ui/use-copy-link';
import { focusLabel } from './focus-label';
import { type Bounds, doubled, halved, shifted } from './region-maths';
import type { ShownRegion } from './shown-region';
import type { RegionEditor } from './use-region-editor';

interface RegionActionsProps {
  readonly editor: RegionEditor;
  readonly region: ShownRegion;
  readonly onPlay: () => void;
  readonly loop: { readonly isOn: boolean; readonly onToggle: () => void };
  readonly onRemove: () => void;
  readonly children?: ReactNode;
}

interface Step {
  readonly label: string;
  readonly face: ReactNode;
  readonly to: (bounds: Bounds, duration: number) => Bounds | null;
}

const STEPS: readonly Step[] = [
  { label: 'Move left by its length', face: <Icon of={ChevronLeft} size={14} />, to: (bounds, duration) => shifted(bounds, -1, duration) },
  { label: 'Halve, ½', face: '½', to: (bounds) => halved(bounds, Number.POSITIVE_INFINITY) },
  { label: 'Double, ×2', face: '×2', to: doubled },
  { label: 'Move right by its length', face: <Icon of={ChevronRight} size={14} />, to: (bounds, duration) => shifted(bounds, 1, duration) },
];

/** Buttons that move or resize the region; a step beyond the track is ignored. */
function Steps({ editor, region }: Pick<RegionActionsProps, 'editor' | 'region'>) {
  return (
    <span className="region-steps" role="group" aria-label="Bounds">
      {STEPS.map(({ label, face, to }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          onClick={() => {
            const bounds = to(region, editor.durationOf(region));
            if (bounds) editor.change(region, bounds);
          }}
        >
          {face}
        </button>
      ))}
    </span>
  );
}

/** URL that opens the page with this region selected; of one that is not saved, its range. */
function linkTo({ id, isDraft, versionId, start, end }: ShownRegion, here: string): string {
  const url = new URL(here);
  url.search = new URLSearchParams(isDraft ? { v: versionId, t: `${start}-${end}` } : { region: id }).toString();
  url.hash = '';
  return url.href;
}

function CopyLink({ region }: { readonly region: ShownRegion }) {
  const copyLink = useCopyLink();
  const what = region.isDraft ? 'range' : 'region';
  return <IconButton size="s" label={`Copy link to this ${what}`} icon={Link} onPress={() => void copyLink(linkTo(region, window.location.href))} />;
}

function SaveDraft({ editor }: Pick<RegionActionsProps, 'editor'>) {
  const toast = useToast();
  const save = async () => {
    try {
      await editor.save();
    } catch (error) {
      toast.show({ kind: 'failed', message: `The region was not saved. ${errorMessage(error)}`, action: { label: 'Retry', onPress: () => void save() } });
    }
  };
  return (
    <Button size="s" variant="outline" isPending={editor.isSaving} onPress={() => void save()}>
      Save region
    </Button>
  );
}

/** Leads from a child region to the saved one that it was made from. */
function Original({ editor, region }: Pick<RegionActionsProps, 'editor' | 'region'>) {
  const parent = editor.all.find(({ id }) => id === region.parentId);
  if (parent === undefined) return null;
  const select = () => {
    editor.select(parent.id);
    // This button disappears with the child.
    focusLabel(parent.id);
  };
  return (
    <Button size="s" variant="quiet" title={`A post changed its copy of '${isolated(parent.title)}'`} onPress={select}>
      <Icon of={CornerLeftUp} size={14} />
      Original
    </Button>
  );
}

/** Actions for the selected region. */
export function RegionActions({ editor, region, onPlay, loop, onRemove, children }: RegionActionsProps) {
  return (
    <div className="flex acts-row">
      <Button size="s" onPress={onPlay}>
        <Icon of={Play} size={12} filled />
        Play it
      </Button>
      <IconButton size="s" label="Loop" keys="L" icon={Repeat} isPressed={loop.isOn} isSounding onPress={loop.onToggle} />
      {region.isAdjustable && <Steps editor={editor} region={region} />}
      {region.isDraft && <SaveDraft editor={editor} />}
      {children}
      <Original editor={editor} region={region} />
      {region.isBeingTagged && <span className="meta">Changes go into your post. The saved region stays as it is.</span>}
      <span className="flex row-end">
        <CopyLink region={region} />
        {region.isOwn && !region.isDraft && <IconButton size="s" label="Remove region" icon={Trash2} onPress={onRemove} />}
      </span>
    </div>
  );
}
