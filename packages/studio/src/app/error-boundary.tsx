import { Component, type ErrorInfo, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/** Whatever an agent sends, the page stays: if a part of it can not be drawn, this stands in its place. A class, because React asks for one. */
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
          <span className="alarm">not shown</span> Studio can not draw this: {String(this.state.message).slice(0, 300)}
        </p>
        <button type="button" className="boxed mt-2" onClick={() => this.setState({ message: undefined })}>
          Try to draw it again
        </button>
      </div>
    );
  }
}
