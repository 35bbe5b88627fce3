package io.holdfast.exchange.pmml;

import java.io.ByteArrayOutputStream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** An XML document as it is written, element by element. Not thread-safe. */
final class XmlText {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final XMLStreamWriter writer;

  XmlText() {
    try {
      writer = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, "UTF-8");
      writer.writeStartDocument("UTF-8", "1.0");
    } catch (XMLStreamException e) {
      throw memory(e);
    }
  }

  private static IllegalStateException memory(XMLStreamException e) {
    return new IllegalStateException("XML is written to memory", e);
  }

  /**
   * Begins an element.
   *
   * @param attributes names, each with its value after it
   */
  XmlText start(String element, String... attributes) {
    try {
      writer.writeCharacters("\n");
      writer.writeStartElement(element);
      for (int k = 0; k < attributes.length; k += 2) {
        writer.writeAttribute(attributes[k], attributes[k + 1]);
      }
      return this;
    } catch (XMLStreamException e) {
      throw memory(e);
    }
  }

  XmlText end() {
    try {
      writer.writeEndElement();
      return this;
    } catch (XMLStreamException e) {
      throw memory(e);
    }
  }

  XmlText text(String text) {
    try {
      writer.writeCharacters(text);
      return this;
    } catch (XMLStreamException e) {
      throw memory(e);
    }
  }

  /** An element with nothing in it. */
  XmlText element(String element, String... attributes) {
    return start(element, attributes).end();
  }

  byte[] bytes() {
    try {
      writer.writeEndDocument();
      writer.close();
      return bytes.toByteArray();
    } catch (XMLStreamException e) {
      throw memory(e);
    }
  }

  /** Whether a text in an attribute is read as it was written. */
  static boolean canSay(String text) {
    return text.codePoints()
        .allMatch(c -> c >= ' ' && c != 0xFFFE && c != 0xFFFF && !(c >= 0xD800 && c <= 0xDFFF));
  }
}
