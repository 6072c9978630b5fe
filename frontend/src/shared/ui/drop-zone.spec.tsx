import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { DropZone } from './drop-zone';

const mix = new File(['RIFF'], '2_2-low tide mix.wav', { type: 'audio/wav' });

function Track({ sent }: { readonly sent?: number }) {
  const [file, setFile] = useState<File>();
  return <DropZone label="Track" hint="audio, at most 48 MB" accept={['audio/*']} file={file} onChoose={setFile} sent={file && sent} />;
}

const fileInput = () => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('there is no way to choose a file');
  return input;
};

test('a chosen file is shown with its size and may be chosen again', async () => {
  render(<Track />);
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeEnabled();

  await userEvent.upload(fileInput(), mix);

  expect(screen.getByText('2_2-low tide mix.wav')).toBeInTheDocument();
  expect(screen.getByText('4 B, audio, at most 48 MB')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Choose another' })).toBeEnabled();
});

test('the button opens the system file dialog', async () => {
  render(<Track />);
  const opened: string[] = [];
  fileInput().addEventListener('click', () => opened.push('dialog'));

  await userEvent.click(screen.getByRole('button', { name: 'Choose a file' }));

  expect(opened).toEqual(['dialog']);
});

test('during an upload the drop zone shows progress and cannot be changed', async () => {
  render(<Track sent={1} />);

  await userEvent.upload(fileInput(), mix);

  const bar = screen.getByRole('progressbar', { name: 'Uploading 2_2-low tide mix.wav' });
  expect(bar).toHaveAttribute('value', '0.25');
  expect(screen.getByText('1 of 4 B')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Choose another' })).not.toBeInTheDocument();
});

test('a problem with the file is announced at once', () => {
  render(<DropZone label="Track" hint="audio" accept={['audio/*']} file={undefined} onChoose={() => undefined} error="Needs to be an audio file" />);

  expect(screen.getByRole('alert')).toHaveTextContent('Needs to be an audio file');
});
