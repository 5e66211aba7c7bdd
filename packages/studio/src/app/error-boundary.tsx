import { Component, type ErrorInfo, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/**
 * Keeps the page alive when agent content makes a component throw, and shows the error in place of that component. React requires a class
 * here.
 */
export class ErrorBoundary extends Component<Props, { readonly message: string | undefined }> {
  override state = { message: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    if (this.state.message === undefined) return this.props.children;
    return (
      <div role="alert" className="m-4 border-l-2 border-ink pl-3 text-sm">
        <p>
          <span className="alarm">error</span> Studio cannot display this content: {String(this.state.message).slice(0, 300)}
        </p>
        <button type="button" className="boxed mt-2" onClick={() => this.setState({ message: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}
