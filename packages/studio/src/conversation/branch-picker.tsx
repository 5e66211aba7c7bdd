import { BranchPickerPrimitive } from '@assistant-ui/react';
import { Icon } from '../ui/icons.js';

/** Switches between the versions of a message; hidden if there is only one. */
export function BranchPicker() {
  return (
    <BranchPickerPrimitive.Root hideWhenSingleBranch className="inline-flex items-center">
      <BranchPickerPrimitive.Previous className="quiet px-1" aria-label="Previous version">
        <Icon name="left" />
      </BranchPickerPrimitive.Previous>
      <span className="label tabular-nums">
        <BranchPickerPrimitive.Number />/<BranchPickerPrimitive.Count />
      </span>
      <BranchPickerPrimitive.Next className="quiet px-1" aria-label="Next version">
        <Icon name="right" />
      </BranchPickerPrimitive.Next>
    </BranchPickerPrimitive.Root>
  );
}
