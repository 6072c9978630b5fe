import { ImageUp, Trash2, Undo2 } from 'lucide-react';
import { Suspense, useId, useRef, useState } from 'react';
import { Button } from '../../shared/ui/button';
import { classNames } from '../../shared/ui/class-names';
import { FieldError } from '../../shared/ui/field';
import { Icon } from '../../shared/ui/icon';
import { part } from '../../shared/ui/part';
import { Slider } from '../../shared/ui/slider';
import { notAPicture, type PictureTypes } from './picture-file';
import styles from './picture.module.css';
import type { ChosenPicture, Picture } from './use-picture';

const PictureCropper = part(async () => ({ default: (await import('./picture-cropper')).PictureCropper }));

const MOST_ZOOM = 4;
const asPercent = (zoom: number): string => `${Math.round(zoom * 100)} %`;

export interface PictureFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Round for a photo, wide for a cover. */
  readonly kind: 'photo' | 'cover';
  readonly allowed: PictureTypes;
  readonly picture: Picture;
  /** The saved picture; null if there is none. */
  readonly saved: string | null;
  /** Offers to remove the saved picture. */
  readonly isRemovable?: boolean;
  readonly isDisabled?: boolean;
  /** The id of a message about this field elsewhere in the form. */
  readonly describedBy?: string | undefined;
}

/** What is inside the frame without a chosen picture. */
function Saved({ saved, isRemoved }: { readonly saved: string | null; readonly isRemoved: boolean }) {
  const [broken, setBroken] = useState<string>();
  if (isRemoved) return <span className="soft">Removed when you save</span>;
  if (saved === null || saved === broken) return <Icon of={ImageUp} size={24} />;
  return <img src={saved} alt="" onError={() => setBroken(saved)} />;
}

interface CropProps extends Pick<PictureFieldProps, 'kind' | 'allowed' | 'picture'> {
  readonly chosen: ChosenPicture;
  readonly describedBy: string;
}

/** A chosen picture behind its crop. */
const Crop = ({ kind, allowed, picture: { view, move, crop, fail }, chosen: { url }, describedBy }: CropProps) => (
  <Suspense fallback={null}>
    <PictureCropper
      {...view}
      key={url}
      url={url}
      maxZoom={MOST_ZOOM}
      shape={kind === 'photo' ? 'round' : 'rect'}
      aspect={kind === 'photo' ? 1 : 3}
      describedBy={describedBy}
      onPlace={(place) => move({ place })}
      onZoom={(zoom) => move({ zoom })}
      onCrop={crop}
      onFail={(message) => fail(message ?? notAPicture(allowed))}
    />
  </Suspense>
);

/** Chooses a picture, crops it, or removes the saved one. Nothing is sent before the form is. */
export function PictureField({ label, hint, kind, allowed, picture, saved, isRemovable, isDisabled, describedBy }: PictureFieldProps) {
  const ids = { label: useId(), hint: useId(), error: useId(), keys: useId() };
  const input = useRef<HTMLInputElement>(null);
  const { chosen, isRemoved, error } = picture;
  const openSystemDialog = () => {
    if (!input.current) return;
    // Otherwise choosing the same file again fires no change event.
    input.current.value = '';
    input.current.click();
  };
  const described = classNames(ids.hint, error !== null && ids.error, describedBy);
  return (
    <div className={styles.picture} role="group" aria-labelledby={ids.label}>
      <span className="field-label" id={ids.label}>
        {label}
      </span>
      <div className={classNames(styles.frame, styles[kind], chosen === null && (saved === null || isRemoved) && styles.empty)}>
        {chosen === null ? (
          <Saved saved={saved} isRemoved={isRemoved} />
        ) : (
          <Crop kind={kind} allowed={allowed} picture={picture} chosen={chosen} describedBy={ids.keys} />
        )}
      </div>
      <span className="sr" id={ids.keys}>
        The arrow keys move the picture.
      </span>
      <div className="flex wrap">
        <Button size="s" variant="outline" icon={ImageUp} onPress={openSystemDialog} isDisabled={isDisabled} aria-describedby={described} data-field={kind}>
          {chosen === null && saved === null ? 'Choose a picture' : 'Other picture'}
        </Button>
        {chosen !== null && (
          <span className="grow">
            <Slider
              label="Zoom"
              hidesLabel
              min={1}
              max={MOST_ZOOM}
              step={0.01}
              value={picture.view.zoom}
              onChange={(zoom) => picture.move({ zoom })}
              spoken={asPercent}
            />
          </span>
        )}
        {isRemovable === true && chosen === null && !isRemoved && (
          <Button size="s" variant="quiet" icon={Trash2} onPress={picture.remove} isDisabled={isDisabled}>
            Remove
          </Button>
        )}
        {(isRemoved || (chosen !== null && saved !== null)) && (
          <Button size="s" variant="quiet" icon={Undo2} onPress={picture.reset} isDisabled={isDisabled}>
            Keep the old one
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept={allowed.types.join(',')}
        aria-label={label}
        onChange={(event) => picture.choose(event.target.files ?? [])}
      />
      {error !== null && <FieldError id={ids.error}>{error}</FieldError>}
      <p className="hint" id={ids.hint}>
        {hint}
      </p>
    </div>
  );
}
